import type { Greenhouse } from '../../api/greenhouse.ts'
import type { Journal } from '../../api/journal.ts'
import type { WorldRecords } from '../../catalogue/records.ts'
import type { WorldStart } from '../../api/world-start.ts'
import type { World } from '../../api/world.ts'
import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import type { Clock } from '../../core/time/clock.ts'

/** The members that only the process of a world has. A test holds why. */
type NotRemote =
  | 'core'
  | 'writeCase'
  | 'toState'
  | 'nameKey'
  | 'redact'
  | 'scenario'
  | 'bytes'
  | 'subscribe'
  | 'schedule'
  | 'wait'

/** The members that are known without asking the server. */
type Known = 'name' | 'key'

/** The members with methods, which are remote, too. */
type WorldPart = Clock | Journal | WorldRecords | { replace(records: never): unknown }

/**
 * A world, its clock, its journal or its records on a server: every method answers a promise, and
 * every other value is one.
 * @example const now: Promise<number> = world.clock.now()
 */
export type Remote<T> = {
  readonly [Name in Exclude<keyof T, NotRemote>]: Name extends Known
    ? T[Name]
    : RemoteMember<T[Name]>
}

type RemoteMember<M> = [M] extends [(...values: never) => unknown]
  ? RemoteMethod<M>
  : [M] extends [WorldPart]
    ? Remote<M>
    : Promise<M>

/** A method may have two signatures: `assume`. With one, the first pattern is left open. */
type RemoteMethod<M> = M extends {
  (...values: infer First): infer A
  (...values: infer Second): infer B
}
  ? unknown[] extends First
    ? RemoteSignature<M>
    : {
        (...values: First): Promise<Awaited<A>>
        (...values: Second): Promise<Awaited<B>>
      }
  : RemoteSignature<M>

type RemoteSignature<M> = M extends (...values: infer Values) => infer Result
  ? (...values: Values) => Promise<Awaited<Result>>
  : never

/** How to follow a journal. */
export interface FollowOptions {
  /** Ends the loop. */
  readonly signal?: AbortSignal | undefined
}

/** The journal of a world on a server. */
export interface RemoteJournal extends Remote<Journal> {
  /**
   * Yields every new entry, once its reply is sent; one whose reply is delayed or streamed comes
   * twice, the first time with `pending`. Goes on after the server was away, with what it missed,
   * until `signal` aborts or the loop ends.
   * @example
   * for await (const { request, response } of world.journal.follow({ signal })) console.log(request.url, response.status)
   * @throws CallError once the world is gone.
   */
  follow(options?: FollowOptions): AsyncGenerator<JournalEntry, void>
}

/**
 * A world on a server, with the names of `World`. The first call creates it. A world that was
 * deleted since says so when you read it, and starts again when you change it. Secrets of records
 * are fingerprints, as everywhere outside of the server.
 * @example
 * const world = greenhouse.world('checkout')
 * await world.use('expired-key')
 * await world.clock.advance('2h')
 * await world.journal.calls({ operation: 'plants.list', status: 401 })
 */
export interface RemoteWorld extends Omit<Remote<World>, 'journal'> {
  readonly journal: RemoteJournal
  /** The base URL of Area A in this world: plants are at `<plantsUrl>/plants`. */
  readonly plantsUrl: string
  /** The base URL of Area B in this world: apps are at `<appsUrl>/apps`. */
  readonly appsUrl: string
  /** Deletes the world; `default` is reset instead. Returns whether it existed. */
  delete(): Promise<boolean>
}

/** A world that ends with its block: `await using world = await greenhouse.isolate()`. */
export interface IsolatedWorld extends RemoteWorld, AsyncDisposable {}

type Shared = 'worlds' | 'hasWorld' | 'deleteWorld' | 'operations' | 'scenarios' | 'assumptions'

/** A Greenhouse on a server. */
export interface RemoteGreenhouse extends Remote<Pick<Greenhouse, Shared>> {
  /** The origin of the server: `http://127.0.0.1:4010`. */
  readonly url: string
  /** The server's version of Greenhouse. */
  readonly version: string
  /**
   * Returns a world; `default` by default. @throws RangeError for a name that no world may have.
   */
  world(name?: string): RemoteWorld
  /**
   * Creates a world with a name that no other has, which is deleted at the end of the block.
   * @param start how it starts: `{ scenarios: ['slow'] }`. As the server's options say by default.
   * @example await using world = await greenhouse.isolate()
   */
  isolate(start?: WorldStart): Promise<IsolatedWorld>
}
