const longest = 500
const maxKnown = 2_000

/** Finds the line of an output that says best why a command failed. */
export class FailureFinder {
  /** The forms of lines that look like failures. */
  readonly nearDuplicates = new Set<string>()
  readonly #known: ReadonlySet<string>
  /** The first line that looks like a failure, by rank. */
  readonly #first: (string | undefined)[] = []
  #last: string | undefined
  /**
   * The rank of a line that continues on the next line: it ends in a colon, or its text begins
   * there.
   */
  #open: number | undefined

  constructor(known: ReadonlySet<string> = new Set()) {
    this.#known = known
  }

  read(whole: string): void {
    const line = whole.slice(0, longest).trim()
    if (line === '') return
    this.#last = line
    if (this.#open !== undefined) {
      this.#first[this.#open] = `${this.#first[this.#open]} ${line}`.trim()
      if (!line.endsWith(':')) this.#open = undefined
      return
    }
    const rank = ranks.findIndex((looksLike) => looksLike(line, line.toLowerCase()))
    if (rank < 0 || isNoise(line)) return
    // Times, ports and ids differ between runs.
    const form = line.replace(/\d+/g, '0')
    if (this.#known.has(form)) return
    if (this.nearDuplicates.size < maxKnown) this.nearDuplicates.add(form)
    if (this.#first[rank] !== undefined) return
    this.#first[rank] = withoutYamlQuotes(line)
    if (this.#first[rank] === '' || line.endsWith(':')) this.#open = rank
  }

  /** The first of the most failure-like lines; without any, the last one. */
  get line(): string | undefined {
    return this.#first.find((line) => line !== undefined) ?? this.#last
  }
}

const ranks: readonly ((line: string, lower: string) => boolean)[] = [
  // AssertionError: …, TypeError [ERR_X]: …, panic: …, expected 204 but got 404
  (line, lower) =>
    /(?:Error|Exception)(?: \[\w+\])?:/.test(line) ||
    /^(?:error|fatal|panic|assertion failed|thrown|uncaught|curl)\b.*:/i.test(line) ||
    /^E {2,}/.test(line) ||
    (/\bexpected\b/.test(lower) && /\b(?:but|got|received|actual|to)\b/.test(lower)),
  // FAIL src/…, ✖ deletes twice, not ok 3, --- FAIL: TestDelete
  (line) => /^(?:FAIL|✖|✗|✘|×|●|not ok\b|--- FAIL)/.test(line),
  (_, lower) => /\b(?:assert\w*|errors?|failed|failures?|exception|denied|refused)\b/.test(lower),
]

/**
 * Removes TAP's notation around a message: `error: 'no plant'`, or `error: |-` with the message on
 * the next lines.
 */
function withoutYamlQuotes(line: string): string {
  if (/^error: [|>]-?$/.test(line)) return ''
  if (line.startsWith("error: '") && line.endsWith("'")) return line.slice("error: '".length, -1)
  return line
}

function isNoise(line: string): boolean {
  return (
    line.startsWith('at ') ||
    /\b(?:no|0) (?:errors?|fail\w*)\b/i.test(line) ||
    /\bfail(?:ed|ures?)?:? 0\b/i.test(line)
  )
}
