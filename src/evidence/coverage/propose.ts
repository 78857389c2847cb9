/** A test that would add to the coverage. */
export interface ProposedTest {
  /** `plants.list, with the scenario expired-key`. */
  readonly title: string
  /** The operation to call, as an existing test does. */
  readonly operation: string
  readonly scenario: string
  /** The cells that it adds. */
  readonly adds: readonly string[]
  /** The line to write before the request, by test runner; for `http`, a header of the request. */
  readonly lines: Readonly<Record<string, string>>
}

/** Scenarios that act on every operation, and the cells that a request of the operation then fills. */
const situations: readonly { readonly scenario: string; readonly fills: readonly string[] }[] = [
  { scenario: 'expired-key', fills: ['401', 'auth'] },
  { scenario: 'rate-limited-plan', fills: ['429', 'quota'] },
  { scenario: 'server-error', fills: ['500', 'server'] },
  { scenario: 'bad-request', fills: ['400', 'validation'] },
  { scenario: 'forbidden', fills: ['403', 'auth'] },
  { scenario: 'network-error', fills: ['broken-wire'] },
  { scenario: 'truncated-json', fills: ['broken-body'] },
  { scenario: 'slow', fills: ['slow'] },
]

/**
 * Returns the three tests that would add most. They call operations that the suite calls already, so each is a copy of a test
 * with one more line. @param counts how often each cell was seen; 0 for those that never were.
 */
export function proposeTests(counts: Readonly<Record<string, number>>): ProposedTest[] {
  const proposed: ProposedTest[] = []
  const missing = new Set(Object.keys(counts).filter((cell) => counts[cell] === 0))
  const calls = callsOf(counts)
  while (proposed.length < 3) {
    const best = calls
      .flatMap((operation) => situations.map((situation) => toTest(operation, situation, missing)))
      .reduce<ProposedTest | undefined>(
        (one, other) => (other.adds.length > (one?.adds.length ?? 0) ? other : one),
        undefined,
      )
    if (!best) break
    proposed.push(best)
    for (const cell of best.adds) missing.delete(cell)
  }
  return proposed
}

/** Returns the operations that succeeded, most frequent first; the first operation if none did. */
function callsOf(counts: Readonly<Record<string, number>>): string[] {
  const calls = new Map<string, number>()
  for (const [cell, count] of Object.entries(counts)) {
    const [operation, what] = cell.split('/') as [string, string]
    if (count > 0 && /^2\d\d$/.test(what)) calls.set(operation, (calls.get(operation) ?? 0) + count)
  }
  if (calls.size === 0)
    return Object.keys(counts)
      .slice(0, 1)
      .map((cell) => cell.split('/')[0]!)
  return [...calls].sort(([, a], [, b]) => b - a).map(([operation]) => operation)
}

function toTest(
  operation: string,
  { scenario, fills }: (typeof situations)[number],
  missing: ReadonlySet<string>,
): ProposedTest {
  const use = `world.use('${scenario}')`
  return {
    title: `${operation}, with the scenario ${scenario}`,
    operation,
    scenario,
    adds: [...fills.map((what) => `${operation}/${what}`), `scenario/${scenario}`].filter((cell) => missing.has(cell)),
    lines: {
      vitest: use,
      playwright: use,
      jest: use,
      'node:test': use,
      mocha: use,
      http: `X-Greenhouse-Scenario: ${scenario}`,
    },
  }
}
