import type { GreenhouseErrorCode } from '../text/error-codes.ts'
import { countOf, toVisible } from '../text/messages.ts'
import { recognizeAcrossBuilds } from './builds.ts'

/** A problem in a fixture or scenario file. */
export interface Problem {
  readonly file: string
  /** The path from the document's root to the wrong value. */
  readonly path: readonly PropertyKey[]
  readonly message: string
  /** Counts from 1; present when the file was read from disk. */
  readonly line?: number
  readonly column?: number
}

const maxListed = 50

/**
 * Thrown when fixtures or scenarios are wrong. The message lists the first problems; `problems`
 * lists all of them.
 */
export class DataError extends Error {
  override name = 'DataError'
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_INVALID_DATA'
  readonly problems: readonly Problem[]

  constructor(what: string, problems: readonly Problem[]) {
    const lines = problems.slice(0, maxListed).map(formatProblem)
    const more = problems.length - lines.length
    if (more > 0) lines.push(`… and ${more} more; greenhouse-mock check lists all of them.`)
    super(
      [`Failed to load ${toVisible(what)}: ${countOf(problems.length, 'problem')}.`, ...lines].join(
        '\n',
      ),
    )
    this.problems = problems
  }
}

recognizeAcrossBuilds(DataError, 'DataError')

/**
 * Without characters that a terminal acts on: `fixtures/plants.yaml:12:5: plants.3.name: expected a
 * string`
 */
export function formatProblem({ file, path, message, line, column }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`
  return toVisible(
    path.length === 0
      ? `${place}: ${message}`
      : `${place}: ${path.map(String).join('.')}: ${message}`,
  )
}
