import type { Forwarded } from './message.ts'
import { toText } from '../core/http/reply.ts'
import type { ServiceRequest } from '../core/http/request.ts'
import { decodeWherePossible } from '../core/text/values.ts'

/**
 * Two paths that no service has. What differs between their replies differs each time: ids, for
 * example.
 */
const nonsense = ['/greenhouse-asks-for-no-path', '/greenhouse-asks-for-nothing']

/** Headers of a request that a question without a body does not have. */
const ofBody = /^(?:content-.*|transfer-encoding|expect|te|trailer|connection|upgrade)$/

interface AskedRequest {
  readonly method: string
  readonly path: string
  readonly search: string
}

/** The words of what a service answers where it has nothing. */
interface Nothing {
  readonly status: number
  readonly words: readonly (readonly string[])[]
}

/** Knows how services answer where they have nothing: each is asked once. */
export class MissingPaths {
  readonly #known = new Map<object, Promise<Nothing>>()

  /**
   * True if a service has nothing at a path. What is not certain counts as there. @param send sends
   * a question to the service
   */
  async lacks(
    service: { readonly mount: string },
    request: ServiceRequest,
    reply: Forwarded,
    send: (request: ServiceRequest) => Promise<Forwarded>,
  ): Promise<boolean> {
    let asking = this.#known.get(service)
    if (!asking) this.#known.set(service, (asking = askForNothing(request, service.mount, send)))
    try {
      const { status, words } = await asking
      return status === reply.status && isSameButWords(toMessageWords(reply, request), words)
    } catch {
      // It may answer the next time.
      this.#known.delete(service)
      return false
    }
  }
}

async function askForNothing(
  request: ServiceRequest,
  mount: string,
  send: (request: ServiceRequest) => Promise<Forwarded>,
): Promise<Nothing> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !ofBody.test(name)),
  )
  const replies = await Promise.all(
    nonsense.map(async (name) => {
      const question = {
        method: 'GET',
        path: mount + name,
        search: '',
        headers,
        body: null,
        signal: undefined,
      }
      const reply = await send(question)
      return { status: reply.status, words: toMessageWords(reply, question) }
    }),
  )
  const [one, other] = replies as [(typeof replies)[0], (typeof replies)[0]]
  if (one.status !== other.status)
    throw new Error('The service answers in several ways where it has nothing.')
  return { status: one.status, words: [one.words, other.words] }
}

/**
 * Returns the words of a body, but for those that repeat the request. Digits count alike: they may
 * be a time.
 */
function toMessageWords({ body }: Forwarded, { method, path, search }: AskedRequest): string[] {
  const own = path.replace(/^\/v1(?=\/)/, '')
  const repeated = [path, own, decodeWherePossible(own), method]
  if (search !== '') repeated.unshift(`?${search}`)
  let text = body instanceof Uint8Array ? toText(body) : ''
  for (const part of repeated) text = text.replaceAll(part, ' ')
  return text.replaceAll(/\d+/g, '0').match(/[\w-]+/g) ?? []
}

function isSameButWords(
  words: readonly string[],
  [one = [], other = []]: Nothing['words'],
): boolean {
  if (words.length !== one.length || words.length !== other.length) return false
  return words.every((word, index) => word === one[index] || one[index] !== other[index])
}
