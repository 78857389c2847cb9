import type { EventType } from './types.ts'

/** An event to send at the end of this turn, with the state of that time. */
export interface Draft {
  readonly type: EventType
  readonly world?: string
  /** Returns its data; `undefined` if its subject no longer exists. */
  make(): object | undefined
}
