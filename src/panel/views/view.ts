import type { ComponentType } from 'preact'
import type { StreamEvent } from '../data/transport.ts'

/** A place in the side bar. */
export interface View {
  /** Stands in the URL: `#/traffic`. */
  readonly id: string
  readonly title: string
  /** Places in the side bar count from the smallest. */
  readonly order: number
  /** `g` and this key go there. */
  readonly key: string
  /** Loads what draws it, as a chunk of its own. */
  readonly load: () => Promise<{ readonly default: ComponentType }>
  /** The events that change what it shows. */
  readonly counts?: {
    readonly types: readonly string[]
    /** Whether an event counts as a change since the view was last open, or as a failure. */
    readonly of: (event: StreamEvent) => 'changed' | 'failed' | undefined
  }
}
