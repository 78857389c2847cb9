import type { OptionDeclaration } from './option-values.ts'

/** The description of a scenario, and its options. */
export interface ScenarioSummary {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What it tests in a client. */
  readonly covers: string
  /** What it can act on with default options: `plants`, `apps`, `payments`, `webhooks`. */
  readonly acts_on: readonly string[]
  /** Search words: `429`, `retry`. */
  readonly tags: readonly string[]
  readonly options: Readonly<Record<string, OptionDeclaration>>
  /** Whether it comes with the package. */
  readonly bundled: boolean
  /** The path of its file, if it was loaded from your own file. */
  readonly file?: string
  /** The fault that needs a connection, with the default options: `reset`. MSW has no connection and refuses the scenario. */
  readonly needs_connection?: string
}
