import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import type { WorldChange } from '../../core/world/changes.ts'
import type { ActiveScenarios, AssumptionsInForce, ClockState, Problems } from '../answers.ts'

/** What the events of `GET /events` carry, by type. */
export interface Events {
  /** The stream does not go on from where the reader was: what it needs to know it reads anew. The first event of such a stream. */
  readonly gap: GapEvent
  /** A request was answered; or it waits for its reply, and comes again once that was sent. */
  readonly request: RequestEvent
  /** A journal forgot its entries. */
  readonly 'journal-cleared': InWorld
  readonly world: InWorld & Pick<WorldChange, 'change'>
  readonly scenarios: InWorld & ActiveScenarios
  readonly clock: InWorld & ClockState
  readonly assumptions: InWorld & { readonly assumptions: AssumptionsInForce }
  /** Records were written; at most once a collection and turn. */
  readonly records: RecordsEvent
  /** Keys were written. */
  readonly keys: KeysEvent
  /** A delivery was made, or tried. */
  readonly delivery: DeliveryEvent
  readonly snapshots: InWorld & { readonly snapshots: readonly string[] }
  /** Fixtures or scenarios were read anew: any world may have changed. */
  readonly reload: object
  /** What is wrong with files was found out anew. */
  readonly problems: Problems
}

export type EventType = keyof Events

/** The types that a reader can ask for; `gap` always comes. */
export const eventTypes = [
  'request',
  'journal-cleared',
  'world',
  'scenarios',
  'clock',
  'assumptions',
  'records',
  'keys',
  'delivery',
  'snapshots',
  'reload',
  'problems',
] as const satisfies readonly EventType[]

export interface InWorld {
  /** The name of the world. */
  readonly world: string
}

/** `start`: the reader named no event to go on from. `forgotten`: what came after that event is not kept any more. */
export interface GapEvent {
  readonly reason: 'start' | 'forgotten'
  /** Which server it is: another one once it was started again, and then nothing of before holds. */
  readonly server: string
}

/** A journal entry without headers and bodies: `GET /worlds/{world}/journal/{id}` has them. */
export interface RequestEvent extends Omit<JournalEntry, 'request' | 'response' | 'omitted' | 'cut'> {
  readonly request: Pick<JournalEntry['request'], 'method' | 'url'>
  readonly response: Pick<JournalEntry['response'], 'status'>
  /** The key that was sent: by name where fixtures have it and it is made of plain words, else its fingerprint. Absent without one. */
  readonly key?: string
}

export interface RecordsEvent extends InWorld {
  readonly collection: string
  /** `replaced` is about all of the collection; `changed`: several of these happened in one turn. */
  readonly change: 'created' | 'updated' | 'deleted' | 'replaced' | 'changed'
  /** The record's id, or a key's fingerprint; absent when several records changed. */
  readonly id?: string | number | bigint
}

export interface KeysEvent extends InWorld {
  /** The fingerprint; absent when several keys changed. */
  readonly id?: string
}

export interface DeliveryEvent extends InWorld {
  readonly id: string
  /** The id of the webhook. */
  readonly webhook: string
  /** Of the event: `app.created`. */
  readonly type: string
  readonly status: 'pending' | 'succeeded' | 'failed' | 'lost'
  /** How many attempts are in its log. */
  readonly attempts: number
  /** ISO 8601; `null` when there is no further attempt. */
  readonly next_attempt_at: string | null
}
