const longest = 500

const maxKnown = 2_000

export interface FailureFinder {
  read(line: string): void
  /**
   * The first of the most failure-like lines, with the line after it if it ends in a colon. Without any, the last
   * non-empty line.
   */
  readonly line: string | undefined
  readonly lookalikes: ReadonlySet<string>
}

export function createFailureFinder(known: ReadonlySet<string> = new Set()): FailureFinder {
  const first: (string | undefined)[] = []
  const lookalikes = new Set<string>()
  let last: string | undefined
  /** The rank of a line that continues on the next line: it ends in a colon, or its text begins there. */
  let open: number | undefined
  return {
    read(whole) {
      const line = whole.slice(0, longest).trim()
      if (line === '') return
      last = line
      if (open !== undefined) {
        first[open] = `${first[open]} ${line}`.trim()
        if (!line.endsWith(':')) open = undefined
        return
      }
      const rank = ranks.findIndex((looksLike) => looksLike(line, line.toLowerCase()))
      if (rank < 0 || isNoise(line)) return
      const form = toForm(line)
      if (known.has(form)) return
      if (lookalikes.size < maxKnown) lookalikes.add(form)
      if (first[rank] !== undefined) return
      first[rank] = toMessage(line)
      if (first[rank] === '' || line.endsWith(':')) open = rank
    },
    get line() {
      return first.find((line) => line !== undefined) ?? last
    },
    lookalikes,
  }
}

/** Patterns of failures, most specific first. */
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

/** Removes TAP's notation around a message: `error: 'no plant'`, or `error: |-` with the message on the next lines. */
function toMessage(line: string): string {
  if (/^error: [|>]-?$/.test(line)) return ''
  return line.startsWith("error: '") && line.endsWith("'") ? line.slice("error: '".length, -1) : line
}

function isNoise(line: string): boolean {
  return (
    line.startsWith('at ') || /\b(?:no|0) (?:errors?|fail\w*)\b/i.test(line) || /\bfail(?:ed|ures?)?:? 0\b/i.test(line)
  )
}

/** Removes numbers from a line: times, ports and ids differ between runs. */
function toForm(line: string): string {
  return line.replace(/\d+/g, '0')
}
