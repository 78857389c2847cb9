import { decodeUnreserved } from '../core/http/request.ts'
import { after } from '../core/time/clock.ts'
import { attach, type Fronting } from './attach.ts'
import { type Forwarded, type Target, TargetFailure } from './front.ts'

const attached = new WeakSet<Fronting>()

/** Lets a Greenhouse without a server answer from the real service of its option `proxy`. @param passOn sends a request past MSW */
export function standInFrontByFetch(greenhouse: Fronting, passOn: (request: Request) => Promise<Response>): void {
  if (attached.has(greenhouse)) return
  attached.add(greenhouse)
  const { plants, apps, timeout = 30_000, record } = greenhouse.options.proxy!
  if (record !== undefined) throw new Error('Failed to record into a folder: that needs a server. Use serve().')
  const bases: Readonly<Record<string, string | undefined>> = { plants, apps }
  const mounts: Readonly<Record<string, string>> = { plants: '', apps: '/v1' }
  const origins = Object.fromEntries(
    Object.entries(bases).flatMap(([area, base]) => (base === undefined ? [] : [[area, new URL(base).origin]])),
  )
  const send: Target['send'] = async ({ method, path, search, headers, body, signal }, area) => {
    if (body === 'too-large') throw new TargetFailure(502, 'did not get the body of the request, which is too large')
    const own = decodeUnreserved(path)
      .replace(/^\/~[^/]+/, '')
      .slice(mounts[area]!.length)
    const sent = new Headers()
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined && name !== 'host' && !name.startsWith('x-greenhouse'))
        sent.set(
          name,
          name === 'authorization' ? String(value).replace(/@[\w.-]{1,64}$/, '') : [value].flat().join(', '),
        )
    const url = `${bases[area]!.replace(/\/$/, '')}${own}${search === '' ? '' : `?${search}`}`
    const control = new AbortController()
    const giveUp = () => control.abort()
    signal?.addEventListener('abort', giveUp)
    let isLate = false
    const stopWaiting = after(timeout, () => {
      isLate = true
      giveUp()
    })
    try {
      const init: RequestInit = { method, headers: sent, redirect: 'manual', signal: control.signal }
      if (body) init.body = body as BodyInit
      return await toForwarded(await passOn(new Request(url, init)))
    } catch (error) {
      if (isLate) throw new TargetFailure(504, `did not begin its reply within ${timeout} ms`)
      throw new TargetFailure(502, `is unreachable: ${(error as Error).message}`, true)
    } finally {
      stopWaiting()
    }
  }
  attach(greenhouse, { origins, send, decode: async (bytes) => bytes })
}

/** `fetch` has taken the codings off the body. */
const ofCoding = ['content-encoding', 'transfer-encoding', 'connection', 'keep-alive']

async function toForwarded(response: Response): Promise<Forwarded> {
  const { status, statusText, headers, body } = response
  if (response.type === 'opaqueredirect') throw new Error('a page cannot see where a redirect leads')
  const isCoded = headers.has('content-encoding')
  const raw = [...headers].flatMap(([name, value]) =>
    ofCoding.includes(name) || (isCoded && name === 'content-length') ? [] : [name, value],
  )
  const length = Number(headers.get('content-length') ?? Infinity)
  const isWhole = isCoded || length <= maxWhole
  const isEvents = headers.get('content-type')?.startsWith('text/event-stream') === true
  if (body === null) return { status, phrase: statusText, raw, body: null }
  return {
    status,
    phrase: statusText,
    raw,
    body: isWhole && !isEvents ? new Uint8Array(await response.arrayBuffer()) : inPieces(body),
  }
}

const maxWhole = 65_536

async function* inPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}
