import type { ComponentType } from 'preact'
import type { StreamEvent } from '../data/transport.ts'

/** A view of the panel, with an entry in the side bar. */
export interface View {
  /** The view's name in the URL: `#/traffic`. */
  readonly id: string
  readonly title: string
  /** Entries of the side bar are sorted by this number, smallest first. */
  readonly order: number
  /** `g`, then this key opens the view. */
  readonly key: string
  /** Whether its path begins with the name of a list: `#/data/plants`. */
  readonly hasLists?: boolean
  /** Imports the view's component on demand. */
  readonly load: () => Promise<{ readonly default: ComponentType }>
  /** The events that the side bar counts while another view is open. */
  readonly counts?: {
    readonly types: readonly string[]
    /** Whether the event counts as a change, as a failure, or not at all. */
    readonly of: (event: StreamEvent) => 'changed' | 'failed' | undefined
  }
}
