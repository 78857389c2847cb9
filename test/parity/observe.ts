import type { World } from 'greenhouse-mock'
import type { Situation } from './situations.ts'

/** Sends a request to a path of the service. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** The result of a request for its client. */
export interface Outcome {
  /** The reply, or as much of it as came. */
  readonly reply?: {
    readonly status: number
    readonly headers: readonly (readonly [name: string, value: string])[]
    readonly bytes: string
  }
  /** The failure instead of the reply, or of its rest. */
  readonly failure?:
    | 'no reply, until the client gives up'
    | 'the request fails'
    | 'the request fails, saying that the fault needs a connection'
    | 'the body breaks off'
  /** Whether the end of it came only when the world's clock had moved on. */
  readonly held: boolean
}

/** Headers that a host may add. */
const ofTheHost = ['connection', 'keep-alive', 'transfer-encoding']

/** The most exchanges after which a sent reply arrives. */
const exchanges = 3

/**
 * Sends a request and returns the result. Advances the world's frozen clock after the world has
 * answered, until the reply is complete; then sets it back. Other replies, from another world, show
 * whether this one is on its way, and not the time that it takes.
 */
export async function observe(
  send: Send,
  world: World,
  path: string,
  init: RequestInit = {},
): Promise<Outcome> {
  const at = world.clock.now()
  const giveUp = new AbortController()
  let answered: number | undefined
  const unsubscribe = world.journal.subscribe((entry) => (answered = entry?.response.status))
  let settled = false
  const outcome = take(() => send(path, { ...init, signal: giveUp.signal }), giveUp.signal).finally(
    () => (settled = true),
  )
  await until(() => settled || answered !== undefined)
  const pass = async () => {
    await pause(1)
    for (let count = 0; count < exchanges && !settled; count++)
      await (await send('/~beside/plants?limit=1')).text()
  }
  await pass()
  const held = !settled
  while (!settled) {
    world.clock.advance('1d')
    if (answered === 0) {
      await pass()
      giveUp.abort()
    }
    await pause(1)
  }
  unsubscribe()
  world.clock.set(at)
  return { ...(await outcome), held: held && answered !== 0 }
}

/** Reads a reply to its end. @param signal that of a client that gives up. */
export async function take(
  send: () => Promise<Response>,
  signal?: AbortSignal,
): Promise<Omit<Outcome, 'held'>> {
  let response: Response
  try {
    response = await send()
  } catch (error) {
    if (signal?.aborted) return { failure: 'no reply, until the client gives up' }
    return {
      failure: /needs a connection/.test(String(error))
        ? 'the request fails, saying that the fault needs a connection'
        : 'the request fails',
    }
  }
  const headers = [...response.headers].filter(([name]) => !ofTheHost.includes(name)).sort()
  let bytes = ''
  try {
    const reader = response.body?.getReader()
    for (let part = await reader?.read(); part && !part.done; part = await reader!.read())
      for (const byte of part.value) bytes += String.fromCharCode(byte)
  } catch {
    return { reply: { status: response.status, headers, bytes }, failure: 'the body breaks off' }
  }
  return { reply: { status: response.status, headers, bytes } }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(1)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** The result of a situation: of a request, or of activating its scenario. */
export type Observed = Outcome | 'refused when switched on' | 'ends the process'

/** Activates the scenario `situation` in a world, sends its request, and returns the result. */
export async function observeSituation(
  send: Send,
  world: World,
  { method = 'GET', path = '/plants', body, before }: Situation,
  start: string,
): Promise<Outcome> {
  world.clock.freeze()
  world.clock.set(start)
  world.use('situation')
  const init = {
    headers: {
      authorization: 'Bearer key_pro',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
  }
  if (!world.records.conversations.get('conv_streamed'))
    await world.records.conversations.create({
      id: 'conv_streamed',
      account: 'acct_pro',
      app: 'app_w33c4cwmhfyfktiv',
      user: null,
      platform: 'web',
      created_at: 0,
    })
  if (before) {
    await (await send(path, init)).text()
    await (await send(before[1], { ...init, method: before[0] })).text()
  }
  return observe(send, world, path, { ...init, method, ...(body !== undefined && { body }) })
}

/**
 * Describes the result of a situation. @param plain the result of the same request without a
 * scenario.
 */
export function toWords(observed: Observed, plain?: Observed): string {
  if (typeof observed === 'string') return observed
  const { reply, failure, held } = observed
  if (reply && failure) return `${failure} after ${reply.bytes.length} bytes`
  if (failure) return failure
  const isChanged =
    typeof plain === 'object' &&
    JSON.stringify(untraced(plain)) !== JSON.stringify(untraced(observed))
  return `${isChanged ? 'a changed reply' : 'the reply'}${held ? ', held back' : ''}`
}

/** Without this header, which shows whether a scenario acted, replies may be equal. */
function untraced({ reply }: Outcome) {
  return reply && { ...reply, headers: reply.headers.filter(([name]) => name !== 'x-greenhouse') }
}
