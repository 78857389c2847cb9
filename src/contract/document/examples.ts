/** What an operation was asked once, and what it answered. */
export interface Example {
  readonly params: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status: number
  readonly reply?: unknown
}

/** Gives the example of an operation, by its id. */
export type ExampleOf = (operation: string) => Example | undefined
