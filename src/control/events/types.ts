import type { EntryOutline } from '../../core/journal/journal-entry.ts'
import type { WorldChange } from '../../core/world/changes.ts'
import type { AssumptionValues } from '../../api/generated/known-names.ts'
import type { DeliverySummary } from '../actions/webhooks.ts'
import type { ActiveScenarios, ClockSummary, FileProblems } from '../shapes.ts'

export interface ControlEvents {
  /** Events are missing before this one, which is the first of the stream: the reader must load the state again. */
  readonly gap: GapEvent
  /** A request was answered. For a delayed reply it comes twice, first with `pending`. */
  readonly request: RequestEvent
  readonly 'journal-cleared': InWorld
  readonly world: InWorld & Pick<WorldChange, 'change'>
  readonly scenarios: InWorld & ActiveScenarios
  readonly clock: InWorld & ClockSummary
  readonly assumptions: InWorld & { readonly assumptions: Readonly<AssumptionValues> }
  /** Records were written; at most one event for each collection and turn. */
  readonly records: RecordsEvent
  readonly keys: InWorld & { readonly id?: string }
  readonly delivery: DeliveryEvent
  readonly snapshots: InWorld & { readonly snapshots: readonly string[] }
  /** Fixtures or scenarios were loaded again: any world may have changed. */
  readonly reload: object
  readonly problems: FileProblems
}

export type ControlEventType = keyof ControlEvents

/** The types that a reader can select; `gap` always comes. */
export const controlEventTypes = [
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
] as const satisfies readonly ControlEventType[]

interface InWorld {
  /** The name of the world. */
  readonly world: string
}

/** `start`: the reader named no last event. `forgotten`: events after its last one are gone. */
export interface GapEvent {
  readonly reason: 'start' | 'forgotten'
  /** Identifies the server. It changes with a restart, after which nothing from before is valid. */
  readonly server: string
}

export interface RequestEvent extends EntryOutline {
  /** The key that was sent: itself if it comes from fixtures and consists of plain words, otherwise its fingerprint. Absent without one. */
  readonly key?: string
}

export interface RecordsEvent extends InWorld {
  readonly collection: string
  /** `replaced`: the whole collection; `changed`: several kinds of change in one turn. */
  readonly change: 'created' | 'updated' | 'deleted' | 'replaced' | 'changed'
  readonly id?: string | number | bigint
}

interface DeliveryEvent
  extends InWorld, Pick<DeliverySummary, 'id' | 'webhook' | 'type' | 'status' | 'next_attempt_at'> {
  readonly attempts: number
}
