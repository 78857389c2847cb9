import type { Problem } from '../core/contract/problem.ts'

/** The state of the files that fixtures and scenarios come from. */
export interface FilesState {
  readonly problems: readonly Problem[]
  readonly watching: boolean
  /** The time of the last read, in milliseconds since 1970. */
  readonly loadedAt: number
  readonly config?: string
  /** Where scenarios can be saved, if they come from a folder. */
  readonly scenarios?: ScenarioFolder
  /** Why the state is in memory only, if it should be in a file. */
  readonly unsaved?: Problem
}

/** A folder that scenarios come from. */
export interface ScenarioFolder {
  readonly path: string
  find(name: string): string | undefined
  /**
   * Writes a scenario whole, or not at all, and loads it. @throws Error of the system; DataError
   * for mistakes in other files
   */
  save(name: string, text: string): void
}
