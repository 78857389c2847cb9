import { countOf, toVisible } from '../text/messages.ts'
import { recognizeAcrossBuilds } from './across-builds.ts'

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

/** The most problems that the message of an error lists. */
const maxListed = 50

/** Thrown when fixtures or scenarios are wrong. The message lists the first problems; `problems` lists all of them. */
export class DataError extends Error {
  override name = 'DataError'
  readonly problems: readonly Problem[]

  constructor(what: string, problems: readonly Problem[]) {
    super(
      [
        `Failed to load ${toVisible(what)}: ${countOf(problems.length, 'problem')}.`,
        ...problems.slice(0, maxListed).map(formatProblem),
        ...toMore(problems),
      ].join('\n'),
    )
    this.problems = problems
  }
}

recognizeAcrossBuilds(DataError, 'DataError')

function toMore({ length }: readonly Problem[]): string[] {
  return length > maxListed ? [`… and ${length - maxListed} more; greenhouse-mock check lists all of them.`] : []
}

/**
 * Formats a problem as one line, without characters that a terminal acts on: `fixtures/plants.yaml:12:5: plants.3.name:
 * expected a string, received 3`
 */
export function formatProblem({ file, path, message, line, column }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`
  return toVisible(path.length === 0 ? `${place}: ${message}` : `${place}: ${path.map(String).join('.')}: ${message}`)
}
