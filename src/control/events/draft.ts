import type { EventType } from './types.ts'

/** An event that is to be told once this turn is over, as things are then. */
export interface Draft {
  readonly type: EventType
  readonly world?: string
  /** Its data; nothing when its subject no longer exists. */
  make(): object | undefined
}
