import { byteLength, type Reply } from '../../core/http/reply.ts'
import { byteSizeOf } from '../../core/store/memory.ts'
import { defineFault, setHeaders } from '../language/effect-kind.ts'

/**
 * The most replies to store, and their maximum size in bytes. Beyond either, the oldest reply is
 * dropped.
 */
const maxEntries = 1_000
const maxBytes = 2 ** 20

export default defineFault({
  kind: 'stale',
  description:
    'A GET gets an old reply: the first one that the same caller got since the scenario was switched on, with an `Age` header.',
  did: 'answered with an old reply',
  fields: {},
  create(_, activation, id) {
    const cache = activation.persistentState(id, () => new Cache())
    return {
      isCounting: true,
      transformReply({ request, secret, now, area, world }, reply) {
        if (request.method !== 'GET' || reply.status !== 200) return reply
        // A body that passes in pieces is not here.
        if (reply.wire?.pieces && reply.body?.length === 0) return reply
        const { body, several, received } = reply
        const headersThat = (areOfExchange: boolean) =>
          Object.fromEntries(
            Object.entries(reply.headers).filter(
              ([name]) => ofExchange.test(name) === areOfExchange,
            ),
          )
        const current: Cached = {
          body,
          headers: headersThat(false),
          several,
          received,
          at: now,
        }
        const first = cache.store(
          JSON.stringify([secret, area.name, request.path, request.search]),
          current,
        )
        if (first === current) return reply
        const age = Math.max(0, Math.floor((world.clock.now() - first.at) / 1_000))
        const old = { ...first.headers, ...headersThat(true) }
        const { at: _, ...kept } = first
        return setHeaders({ ...reply, ...kept, headers: old }, { Age: String(age) })
      },
    }
  },
})

/** The headers that a cache would not have stored, or that belong to the page that asks. */
const ofExchange = /^(?:date$|x-|access-control-)/i

/** The parts of a reply to keep. Not the reply itself, because later steps change it. */
interface Cached extends Pick<Reply, 'body' | 'several' | 'received'> {
  readonly headers: Reply['headers']
  readonly at: number
}

function sizeOfCached(name: string, { body, headers }: Cached): number {
  return (
    byteSizeOf(name) +
    byteSizeOf(Object.values(headers).join()) +
    (body === null ? 0 : byteLength(body)) +
    200
  )
}

class Cache {
  readonly #replies: Map<string, Cached>
  bytes: number

  constructor(replies: ReadonlyMap<string, Cached> = new Map(), bytes = 0) {
    this.#replies = new Map(replies)
    this.bytes = bytes
  }

  store(name: string, cached: Cached): Cached {
    const known = this.#replies.get(name)
    if (known) return known
    this.#replies.set(name, cached)
    this.bytes += sizeOfCached(name, cached)
    for (const [oldest, forgotten] of this.#replies) {
      if (this.#replies.size <= maxEntries && this.bytes <= maxBytes) break
      this.#replies.delete(oldest)
      this.bytes -= sizeOfCached(oldest, forgotten)
    }
    return cached
  }

  clone(): Cache {
    return new Cache(this.#replies, this.bytes)
  }
}
