import type { Greenhouse, JournalEntry } from 'greenhouse-mock'
import { createGreenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import type { Adapter, Send } from '../support/adapters.ts'
import { start } from '../support/test-api.ts'
import { take } from './observe.ts'

/** A request to a path of the service. */
export type Asked = readonly [path: string, init?: RequestInit]

export type Got = Awaited<ReturnType<typeof take>>

/** Headers that `fetch` adds to a request over a socket. */
const ofTheSocket = new Set(
  [
    [
      'accept',
      'accept-encoding',
      'accept-language',
      'connection',
      'content-length',
      'host',
      'sec-fetch-mode',
    ],
    ['transfer-encoding', 'user-agent', 'cache-control', 'pragma'],
  ].flat(),
)

/** Opens an adapter with a Greenhouse whose worlds begin alike and stand still. */
export async function openAlike(adapter: Adapter, options: GreenhouseOptions = {}) {
  const greenhouse = createGreenhouse({ now: start, frozen: true, ...options })
  return { greenhouse, world: greenhouse.world(), ...(await adapter.open(greenhouse)) }
}

export const ask = (send: Send, [path, init]: Asked): Promise<Got> => take(() => send(path, init))

/** Returns the entries of all worlds' journals, without headers of sockets and durations. */
export async function keptBy(greenhouse: Greenhouse): Promise<unknown[]> {
  const entries = () =>
    greenhouse.worlds().flatMap((name) => greenhouse.world(name).journal.calls())
  // Over a socket a reply has left a little after the client has it.
  while (entries().some(({ pending }) => pending))
    await new Promise((resolve) => setTimeout(resolve, 1))
  return entries().map(toKept)
}

export function toKept({ ms: _, request, response, ...entry }: JournalEntry) {
  const sent = Object.entries(request.headers).filter(([name]) => !ofTheSocket.has(name))
  // @mswjs/http-middleware gives each request but GET and HEAD a body, an empty one where there is
  // none.
  return {
    ...entry,
    request: {
      ...request,
      headers: Object.fromEntries(sent.sort()),
      body: request.body || undefined,
    },
    response,
  }
}
