import type { ControlEventType } from './types.ts'

/** An event that is sent at the end of this turn, with the state at that time. */
export interface EventDraft {
  readonly type: ControlEventType
  readonly world?: string
  /** Returns its data; `undefined` if its subject no longer exists. */
  make(): object | undefined
}
