import { toVisible } from './visible.ts'

/** What is wrong in a fixture or scenario file, and where. */
export interface Problem {
  readonly file: string
  /** From the document's root to the value that is wrong. */
  readonly path: readonly PropertyKey[]
  readonly message: string
  /** From 1; known where the file was read from disk. */
  readonly line?: number
  readonly column?: number
}

/** How many problems the message of an error tells one by one. */
const mostTold = 50

/** Data that can't be used: says what is wrong with it at once, and has all of it in `problems`. */
export class DataError extends Error {
  override name = 'DataError'
  readonly problems: readonly Problem[]

  constructor(what: string, problems: readonly Problem[]) {
    super(
      [
        `Failed to load ${toVisible(what)}: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}.`,
        ...problems.slice(0, mostTold).map(formatProblem),
        ...toRest(problems),
      ].join('\n'),
    )
    this.problems = problems
  }
}

function toRest({ length }: readonly Problem[]): string[] {
  return length > mostTold ? [`… and ${length - mostTold} more; greenhouse check tells all of them.`] : []
}

/** One line, with nothing in it that a terminal acts on: `fixtures/plants.yaml:12:5: plants.3.name: Invalid input: expected string, received number` */
export function formatProblem({ file, path, message, line, column }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`
  return toVisible(path.length === 0 ? `${place}: ${message}` : `${place}: ${path.map(String).join('.')}: ${message}`)
}
