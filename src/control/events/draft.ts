import type { ControlEventType } from './types.ts'

/** An event to send at the end of this turn, with the state of that time. */
export interface EventDraft {
  readonly type: ControlEventType
  readonly world?: string
  /** Returns its data; `undefined` if its subject no longer exists. */
  make(): object | undefined
}
