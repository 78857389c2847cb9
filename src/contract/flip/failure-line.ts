/** The longest part of a line that is looked at and kept, in characters. */
const longest = 500

/** How many lines that look like failures are remembered of a baseline. */
const mostKnown = 2_000

/** Finds the line that tells why a command failed, in what it prints. */
export interface FailureFinder {
  /** Is given each line, without what colours it. */
  read(line: string): void
  /** The first line that looks most like a failure, with the next one where it ends in a colon; else the last one that says something. */
  readonly line: string | undefined
  /** The lines that look like failures, as `isKnown` compares them. */
  readonly lookalikes: ReadonlySet<string>
}

/** @param known the lookalikes of a run that passed: they tell of no failure. */
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
      if (rank < 0 || isNothing(line)) return
      const form = toForm(line)
      if (known.has(form)) return
      if (lookalikes.size < mostKnown) lookalikes.add(form)
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

/** What a line looks like, from what says most to what says least. */
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

/** A line without what TAP puts around a message: `error: 'no plant'`, or `error: |-` with the message on the next lines. */
function toMessage(line: string): string {
  if (/^error: [|>]-?$/.test(line)) return ''
  return line.startsWith("error: '") && line.endsWith("'") ? line.slice("error: '".length, -1) : line
}

/** A place in a stack, or a count of nothing. */
function isNothing(line: string): boolean {
  return (
    line.startsWith('at ') || /\b(?:no|0) (?:errors?|fail\w*)\b/i.test(line) || /\bfail(?:ed|ures?)?:? 0\b/i.test(line)
  )
}

/** A line without its numbers: times, ports and ids differ from run to run. */
function toForm(line: string): string {
  return line.replace(/\d+/g, '0')
}
