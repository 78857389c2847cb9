import { toIso } from './clock.ts'
import type { Exchange } from './exchange.ts'
import { toFingerprint } from './fingerprint.ts'
import type { Reply } from './reply.ts'

/** One request and its reply, as the world remembers them. Keys are fingerprints. */
export interface JournalEntry {
  id: number
  /** ISO 8601, on the world's clock. */
  at: string
  /** `undefined` when no operation has the method and path. */
  operation: string | undefined
  world: string
  request: { method: string; url: string; headers: Record<string, string>; body: string | undefined }
  response: { status: number; headers: Record<string, string>; body: string | undefined }
  /** The scenarios that changed the reply. */
  scenarios: string[]
  /** The ids of the assumptions that shaped the reply. */
  assumptions: string[]
  /** How long the answer took. */
  ms: number
}

/** Which entries to look for; all that is named must hold. */
export interface JournalQuery {
  operation?: string
  status?: number
  /** At most so many, the newest. */
  limit?: number
}

/** How much a journal holds: the oldest entries make room. */
export interface JournalLimits {
  readonly entries: number
  readonly bytes: number
}

interface Note {
  readonly id: number
  readonly at: number
  readonly operation: string | undefined
  readonly world: string
  readonly method: string
  readonly path: string
  readonly search: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array | undefined
  readonly reply: Reply
  readonly fired: readonly string[]
  readonly assumed: readonly string[]
  readonly ms: number
  readonly bytes: number
}

/** What an entry weighs besides its bodies and URL, roughly. */
const baseWeight = 1_024

/** What a world was asked and what it answered, bounded in entries and bytes. */
export class Journal {
  readonly #limits: JournalLimits
  readonly #notes: (Note | undefined)[] = []
  #oldest = 1
  #next = 1
  #bytes = 0

  constructor(limits: JournalLimits) {
    this.#limits = limits
  }

  /** How many entries made room for newer ones. */
  get evicted(): number {
    return this.#oldest - 1
  }

  /** The entries that are there, oldest first. */
  calls(query: JournalQuery = {}): JournalEntry[] {
    const entries: JournalEntry[] = []
    for (let id = this.#next - 1; id >= this.#oldest && entries.length < (query.limit ?? Infinity); id--) {
      const note = this.#notes[id % this.#limits.entries]!
      if (query.operation !== undefined && note.operation !== query.operation) continue
      if (query.status !== undefined && note.reply.status !== query.status) continue
      entries.unshift(toEntry(note))
    }
    return entries
  }

  /** Forgets all entries; ids go on counting. */
  clear(): void {
    while (this.#oldest < this.#next) this.#evict()
  }

  /** Writes down an exchange and its reply. @internal */
  write(exchange: Exchange, reply: Reply, ms: number): void {
    const { request } = exchange
    const body = request.body instanceof Uint8Array ? request.body : undefined
    const bytes = baseWeight + request.path.length + request.search.length + (body?.length ?? 0) + (reply.body?.length ?? 0)
    if (this.#next - this.#oldest >= this.#limits.entries) this.#evict()
    this.#bytes += bytes
    while (this.#bytes > this.#limits.bytes && this.#oldest < this.#next) this.#evict()
    const id = this.#next++
    this.#notes[id % this.#limits.entries] = {
      id,
      at: exchange.now,
      operation: exchange.operation?.id,
      world: exchange.world.name,
      method: request.method,
      path: request.path,
      search: request.search,
      headers: toSafeHeaders(exchange),
      body,
      reply,
      fired: exchange.fired,
      assumed: exchange.assumed,
      ms,
      bytes,
    }
  }

  #evict(): void {
    const slot = this.#oldest++ % this.#limits.entries
    this.#bytes -= this.#notes[slot]!.bytes
    this.#notes[slot] = undefined
  }
}

const secretHeaders = ['cookie', 'proxy-authorization', 'x-api-key', 'api-key']
const fingerprints = new WeakMap<object, string>()

/** The request's headers with a fingerprint for the key; what else may be secret is hidden. */
function toSafeHeaders({ request, secret, caller }: Exchange): Record<string, string> {
  const safe: Record<string, string> = {}
  for (const name in request.headers) {
    const value = request.headers[name]
    if (value !== undefined) safe[name] = typeof value === 'string' ? value : value.join(', ')
  }
  for (const name of secretHeaders) if (safe[name] !== undefined) safe[name] = '[hidden]'
  if (safe['authorization'] === undefined) return safe
  let fingerprint = caller && fingerprints.get(caller.key)
  if (!fingerprint) {
    fingerprint = secret === undefined ? '[hidden]' : `Bearer ${toFingerprint(secret)}`
    if (caller) fingerprints.set(caller.key, fingerprint)
  }
  safe['authorization'] = fingerprint
  return safe
}

function toEntry({ id, at, operation, world, method, path, search, headers, body, reply, fired, assumed, ms }: Note): JournalEntry {
  return {
    id,
    at: toIso(at),
    operation,
    world,
    request: { method, url: search === '' ? path : `${path}?${search}`, headers: { ...headers }, body: body && new TextDecoder().decode(body) },
    response: { status: reply.status, headers: { ...reply.headers }, body: reply.body ?? undefined },
    scenarios: [...new Set(fired)],
    assumptions: [...new Set(assumed)],
    ms,
  }
}
