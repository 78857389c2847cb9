import type { Verdict } from './arrival.ts'
import { toIso } from './clock.ts'
import type { Exchange } from './exchange.ts'
import { toFingerprint } from './fingerprint.ts'
import type { NearMiss } from './near-miss.ts'
import { report, reportRejection } from './reason.ts'
import type { Reply } from './reply.ts'

/** One request and its reply, as the world remembers them. Keys are fingerprints; bodies end after 64 KiB. */
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
  /** What each effect of the active scenarios decided about this request, and why; absent when none was active. */
  verdicts?: Verdict[]
  /** The ids of the assumptions that shaped the reply. */
  assumptions: string[]
  /** Where there was no such operation: the ones that are closest to what was asked for. */
  near_misses?: NearMiss[]
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

/** What a journal is made with. */
export interface JournalOptions extends JournalLimits {
  /** Who is told of the entries of all worlds. @internal */
  readonly listeners?: ReadonlySet<NoteListener>
}

/** Nothing that is left fits the question, but entries that made room did: whether it ever happened can't be told from here. */
export class EvictedError extends Error {
  override name = 'EvictedError'
}

/** An entry as the journal keeps it, with nothing made for whom reads it: to look at, not to keep or to change. @internal */
export interface Note {
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
  readonly verdicts: readonly Verdict[]
  readonly assumed: readonly string[]
  readonly nearMisses: (() => NearMiss[]) | undefined
  readonly ms: number
  readonly bytes: number
}

/** What an entry weighs besides its bodies and URL, roughly. */
const baseWeight = 1_024

/** How much of a body is kept, in bytes of a request's and characters of a reply's. */
const bodyCap = 65_536

/** What a world was asked and what it answered, bounded in entries and bytes. */
export class Journal {
  readonly #limits: JournalOptions
  readonly #notes: (Note | undefined)[] = []
  readonly #listeners = new Set<JournalListener>()
  /** How many of the entries that made room were of each operation and status. */
  readonly #gone = new Map<string, number>()
  #oldest = 1
  #next = 1
  #bytes = 0

  constructor(limits: JournalOptions) {
    const { entries, bytes } = limits
    if (!((Number.isInteger(entries) || entries === Infinity) && entries >= 1 && bytes >= 0))
      throw new RangeError(`Failed to make a journal of ${entries} entries and ${bytes} bytes: it holds at least one entry, and no less than 0 bytes.`)
    this.#limits = limits
  }

  /** How many entries are there. */
  get size(): number {
    return this.#next - this.#oldest
  }

  /** How many entries made room for newer ones. */
  get evicted(): number {
    let sum = 0
    for (const count of this.#gone.values()) sum += count
    return sum
  }

  /**
   * The entries that are there, oldest first.
   * @throws EvictedError when none is there that fits but some that fitted made room.
   */
  calls(query: JournalQuery = {}): JournalEntry[] {
    const { operation, status, limit = Infinity } = query
    const entries: JournalEntry[] = []
    for (let id = this.#next - 1; id >= this.#oldest && entries.length < limit; id--) {
      const note = this.#notes[id % this.#limits.entries]!
      if (operation !== undefined && note.operation !== operation) continue
      if (status !== undefined && note.reply.status !== status) continue
      entries.push(toEntry(note))
    }
    if (entries.length === 0 && limit > 0 && this.#hasEvicted(operation, status))
      throw new EvictedError(
        `The journal can't tell whether this was ever called: it holds the newest ${this.#limits.entries} entries or ${this.#limits.bytes} bytes, and ones that fit made room. Ask earlier, clear it before what you look at, or give it more room.`,
      )
    return entries.reverse()
  }

  /** Forgets all entries, those that made room too; ids go on counting. */
  clear(): void {
    while (this.#oldest < this.#next) this.#drop()
    this.#gone.clear()
  }

  /** Calls back with every entry from now on, until what it returns is called. The journal's end comes as `undefined`. */
  subscribe(listener: JournalListener): () => void {
    const own: JournalListener = (entry) => listener(entry)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** Tells the listeners that nothing more comes. @internal */
  end(): void {
    for (const listener of this.#listeners) tell(listener, undefined)
    this.#listeners.clear()
  }

  /** Writes down an exchange and its reply. @internal */
  write(exchange: Exchange, reply: Reply, ms: number): void {
    const { request } = exchange
    const body = request.body === 'too-large' ? undefined : (request.body ?? undefined)
    const kept = body && body.length > bodyCap ? Uint8Array.prototype.slice.call(body, 0, bodyCap) : body
    const keptReply = toKept(reply)
    const bytes = baseWeight + request.path.length + request.search.length + (kept?.length ?? 0) + (keptReply.body?.length ?? 0)
    if (this.#next - this.#oldest >= this.#limits.entries) this.#evict()
    this.#bytes += bytes
    while (this.#bytes > this.#limits.bytes && this.#oldest < this.#next) this.#evict()
    const id = this.#next++
    const note: Note = {
      id,
      at: exchange.now,
      operation: exchange.operation?.id,
      world: exchange.world.name,
      method: request.method,
      path: request.path,
      search: request.search,
      headers: toSafeHeaders(exchange),
      body: kept,
      reply: keptReply,
      verdicts: exchange.verdicts,
      assumed: exchange.assumed,
      nearMisses: exchange.nearMisses,
      ms,
      bytes,
    }
    this.#notes[id % this.#limits.entries] = note
    if (this.#limits.listeners) for (const listener of this.#limits.listeners) tell(listener, note)
    for (const listener of this.#listeners) tell(listener, toEntry(note))
  }

  #hasEvicted(operation: string | undefined, status: number | undefined): boolean {
    for (const kind of this.#gone.keys()) {
      const [goneOperation, goneStatus] = kind.split(' ')
      if ((operation === undefined || goneOperation === operation) && (status === undefined || goneStatus === String(status))) return true
    }
    return false
  }

  #evict(): void {
    const { operation, reply } = this.#drop()
    const kind = `${operation ?? ''} ${reply.status}`
    this.#gone.set(kind, (this.#gone.get(kind) ?? 0) + 1)
  }

  #drop(): Note {
    const slot = this.#oldest++ % this.#limits.entries
    const note = this.#notes[slot]!
    this.#bytes -= note.bytes
    this.#notes[slot] = undefined
    return note
  }
}

/** Is called with an entry, or with `undefined` when the journal ends. */
export type JournalListener = (entry: JournalEntry | undefined) => void

/** Is called with what the journal keeps of an entry. @internal */
export type NoteListener = (note: Note) => void

const listenerFailed = 'A listener of the journal failed:'

/** A listener that throws, or rejects later, must not take the reply or the process with it. */
function tell<T>(listener: (value: T) => unknown, entry: T): void {
  try {
    const result = listener(entry)
    if (result !== undefined) reportRejection(listenerFailed, result)
  } catch (error) {
    report(listenerFailed, error)
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

/** The scenarios that changed something, each once. @internal */
export function toFired(verdicts: readonly Verdict[]): string[] {
  return [...new Set(verdicts.filter((verdict) => verdict.fired).map((verdict) => verdict.scenario))]
}

/** The reply with no more of its body than is kept, and nothing that ties it to the connection. */
function toKept(reply: Reply): Reply {
  const { status, headers, body, wire } = reply
  if (wire === undefined && (body === null || body.length <= bodyCap)) return reply
  return { status, headers, body: body && body.slice(0, bodyCap) }
}

function toText(body: string | Uint8Array | null): string | undefined {
  return typeof body === 'string' ? body : body === null ? undefined : new TextDecoder().decode(body)
}

/** A kept entry as it is read. @internal */
export function toEntry({ id, at, operation, world, method, path, search, headers, body, reply, verdicts, assumed, nearMisses, ms }: Note): JournalEntry {
  return {
    id,
    at: toIso(at),
    operation,
    world,
    request: { method, url: search === '' ? path : `${path}?${search}`, headers: { ...headers }, body: body && new TextDecoder().decode(body) },
    response: { status: reply.status, headers: { ...reply.headers }, body: toText(reply.body) },
    scenarios: toFired(verdicts),
    ...(verdicts.length > 0 && { verdicts: verdicts.map((verdict) => ({ ...verdict })) }),
    assumptions: [...new Set(assumed)],
    ...(nearMisses && { near_misses: nearMisses() }),
    ms,
  }
}
