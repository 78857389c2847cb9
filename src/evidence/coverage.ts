import { codedError } from '../core/text/error-codes.ts'
import { toAssume } from '../core/contract/assumptions.ts'
import { type Contract, errorsOf } from '../core/pipeline/area.ts'
import { globFilter } from '../core/text/values.ts'
import { countOf, describeProblem } from '../core/text/messages.ts'
import type { Cell, CommandReport, ReportCase } from '../output/reports.ts'
import { deliveryFaults } from '../core/world/effective-settings.ts'
import { malformKinds } from '../scenarios/language/malformation.ts'
import type { SeenRequest } from './rule.ts'

const familiesOfStatuses = ['auth', 'quota', 'validation', 'server'] as const

const families = [...familiesOfStatuses, 'slow', 'broken-body', 'broken-wire'] as const

/** The kinds of scenarios' effects that show a client a failure, by the failure's family. */
const effectsOfFamily: Readonly<Record<string, readonly string[]>> = {
  slow: ['delay', 'drip', 'timeout'],
  'broken-body': [...malformKinds, 'truncate', 'headers', 'stale', 'stream'],
  'broken-wire': ['reset', 'empty-reply', 'network-error', 'garbage', 'timeout'],
}

/**
 * Lists what tests can show a client, each as a cell: a status or a family of failures of an
 * operation, `plants.list/429`, `plants.list/quota`; a fault of a delivery, `app.created/lost`; a
 * scenario, `scenario/slow`. @param values the assumptions in force
 */
export function listCells(
  { areas }: Contract,
  scenarios: readonly string[],
  values: ReadonlyMap<string, string>,
) {
  const assume = toAssume({ assumptions: values })
  const operations = areas.flatMap((area) =>
    area.operations.flatMap((operation) => {
      const successes = [
        ...(operation.statuses?.(assume) ?? [200]),
        ...toArray(operation.stream?.(assume)?.status),
      ]
      const failures = [...errorsOf(area, operation, assume).keys()]
      const body = operation.result || operation.stream ? ['broken-body'] : []
      const familiesOfFailures = new Set(failures.map(familyOf))
      const possible = [
        ...familiesOfStatuses.filter((family) => familiesOfFailures.has(family)),
        'slow',
        ...body,
        'broken-wire',
      ]
      return [...new Set([...successes, ...failures]), ...possible].map(
        (name) => `${operation.id}/${name}`,
      )
    }),
  )
  const events = areas.flatMap(({ eventSchemas }) => Object.keys(eventSchemas))
  return [
    ...operations,
    ...[...new Set(events)].flatMap((event) => deliveryFaults.map((fault) => `${event}/${fault}`)),
    ...scenarios.map((name) => `scenario/${name}`),
  ]
}

/** Returns the cells that a request fills. `listCells` may lack some of them. */
export function cellsOf(
  { operation, status, effects }: SeenRequest,
  scenarios: readonly string[],
): string[] {
  const ofScenarios = scenarios.map((name) => `scenario/${name}`)
  if (operation === undefined) return ofScenarios
  const names = [
    ...(status > 0 ? [status] : []),
    ...toArray(familyOf(status)),
    ...Object.keys(effectsOfFamily).filter((family) =>
      effectsOfFamily[family]?.some((kind) => effects.includes(kind)),
    ),
  ]
  return [...names.map((name) => `${operation}/${name}`), ...ofScenarios]
}

function familyOf(status: number): (typeof familiesOfStatuses)[number] | undefined {
  if (status < 400) return undefined
  if (status === 401 || status === 403) return 'auth'
  if (status === 429) return 'quota'
  return status < 500 ? 'validation' : 'server'
}

function toArray<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value]
}

/** The failures that a test suite has seen. */
export interface Coverage {
  /** How many cells the contract has, and how many of them were seen. */
  readonly cells: number
  readonly seen: number
  /** The share of cells that were seen, in percent, rounded down to a tenth. */
  readonly percent: number
  /** How often each cell was seen; 0 for those that never were. */
  readonly counts: Readonly<Record<string, number>>
  /** The tests that would add most. */
  readonly next: readonly ProposedTest[]
}

/** How often cells were seen. */
export type CellCounts = Readonly<Record<string, number>>

/**
 * Compares the cells that were seen with all that there are.
 * @param ignore globs of cells that do not count, or of their operations
 * @param only globs of the cells that count, or of their operations; without any, all count
 * @throws RangeError for a glob without a match
 */
export function toCoverage(
  all: readonly string[],
  counts: CellCounts,
  ignore: readonly string[] = [],
  only: readonly string[] = [],
): Coverage {
  const cells = all.filter(
    (cell) => (only.length === 0 || matches(cell, only)) && !matches(cell, ignore),
  )
  for (const glob of [...only, ...ignore])
    if (!all.some((cell) => matches(cell, glob))) {
      const names = glob.includes('/') ? all : all.map(ownerOfCell)
      throw codedError(
        'GREENHOUSE_UNKNOWN_NAME',
        describeProblem(`No cell of the coverage matches ${JSON.stringify(glob)}`, glob, names),
      )
    }
  const seen = cells.filter((cell) => Object.hasOwn(counts, cell)).length
  const known = Object.fromEntries(cells.map((cell) => [cell, countIn(counts, cell)]))
  const percent = cells.length === 0 ? 100 : Math.floor((seen / cells.length) * 1_000) / 10
  return {
    cells: cells.length,
    seen,
    percent,
    counts: known,
    next: proposeTests(known),
  }
}

function matches(cell: string, globs: string | readonly string[]): boolean {
  return [cell, ownerOfCell(cell)].some(globFilter(globs))
}

function ownerOfCell(cell: string): string {
  const [owner = cell] = cell.split('/')
  return owner
}

function countIn(counts: CellCounts, cell: string): number {
  if (Object.hasOwn(counts, cell)) return counts[cell] ?? 0
  return 0
}

export function mergeCounts(all: readonly CellCounts[]): CellCounts {
  const sum: Record<string, number> = {}
  for (const counts of all)
    for (const [cell, count] of Object.entries(counts)) sum[cell] = countIn(sum, cell) + count
  return sum
}

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

/** Bundled scenarios, with the cells that each fills of an operation that it is used with. */
const proposals: readonly {
  readonly scenario: string
  readonly fills: readonly string[]
}[] = [
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
 * Proposes the three tests that add most, one after the other. They call operations that the suite
 * calls already, so each is a copy of a test with one more line.
 */
function proposeTests(counts: Readonly<Record<string, number>>): ProposedTest[] {
  const proposed: ProposedTest[] = []
  const missing = new Set(Object.keys(counts).filter((cell) => counts[cell] === 0))
  const calls = callsOf(counts)
  while (proposed.length < 3) {
    const [best] = calls
      .flatMap((operation) =>
        proposals.map((situation) => suggestTest(operation, situation, missing)),
      )
      .toSorted((one, other) => other.adds.length - one.adds.length)
    if (!best || best.adds.length === 0) break
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
  if (calls.size === 0) {
    const isOfOperation = (cell: string) =>
      !cell.startsWith('scenario/') && !deliveryFaults.some((fault) => cell.endsWith(`/${fault}`))
    return Object.keys(counts).filter(isOfOperation).slice(0, 1).map(ownerOfCell)
  }
  return [...calls].sort(([, a], [, b]) => b - a).map(([operation]) => operation)
}

function suggestTest(
  operation: string,
  { scenario, fills }: (typeof proposals)[number],
  missing: ReadonlySet<string>,
) {
  const use = `world.use('${scenario}')`
  const lines = Object.fromEntries(
    ['vitest', 'playwright', 'jest', 'node:test', 'mocha'].map((name) => [name, use]),
  )
  return {
    title: `${operation}, with the scenario ${scenario}`,
    operation,
    scenario,
    adds: [...fills.map((name) => `${operation}/${name}`), `scenario/${scenario}`].filter((cell) =>
      missing.has(cell),
    ),
    lines: {
      ...lines,
      http: `X-Greenhouse-Scenario: ${scenario}`,
    },
  }
}

const columns = ['ok', ...families] as const

/** The cells of an operation, which a report shows as a row. */
interface CoverageRow {
  readonly operation: string
  readonly cells: Readonly<Partial<Record<(typeof columns)[number], Sum>>>
}

/** How many cells there are, and how many of them were seen. */
interface Sum {
  readonly seen: number
  readonly all: number
}

export function toCoverageReport(coverage: Coverage, minimum?: number): CommandReport {
  const { counts, percent, seen, cells, next } = coverage
  const share = `${percent.toFixed(1)} % seen, ${seen} of ${cells} cells`
  const { operations, others } = sumCells(counts)
  const isCalled = (row: CoverageRow) => Object.values(row.cells).some(({ seen }) => seen > 0)
  const uncalled = operations.filter((row) => !isCalled(row))
  const neverCalled = `${uncalled.length} ${uncalled.length === 1 ? 'operation was' : 'operations were'} never called`
  const totals = others.map(({ title, seen, all }) => `${title}: ${seen} of ${all}`)
  const cases = Object.entries(counts).map(toReportCase)
  if (minimum !== undefined) {
    const failed = percent < minimum ? { message: share } : undefined
    cases.unshift({
      owner: 'coverage',
      name: `--min-coverage ${minimum}`,
      failed,
    })
  }
  return {
    name: 'coverage',
    title: `Error paths: ${share}.`,
    sections: [
      {
        columns: ['', ...columns],
        rows: operations.filter(isCalled).map(toCoverageRow),
        rest: uncalled.map(toCoverageRow),
        notes: uncalled.length > 0 ? [neverCalled, ...totals] : totals,
      },
      {
        title: 'Next tests',
        notes: next.map(adviseTest),
      },
    ],
    suites: { 'greenhouse-mock coverage': cases },
    data: coverage,
  }
}

function toReportCase([cell, count]: readonly [string, number]): ReportCase {
  const [owner, name] = cell.split('/') as [string, string]
  return {
    owner,
    name,
    skipped: count > 0 ? undefined : 'not seen',
  }
}

function adviseTest({ title, adds, lines }: ProposedTest): Cell {
  return [
    `${title}: +${countOf(adds.length, 'cell')} (${adds.join(', ')})\n  `,
    { code: String(lines['vitest']) },
    '  in a copy of a test that calls it; without a world, the header ',
    { code: String(lines['http']) },
  ]
}

function toCoverageRow({ operation, cells }: CoverageRow): Cell[] {
  return [{ code: operation }, ...columns.map((column) => toMark(cells[column]))]
}

function toMark(sum: Sum | undefined): string {
  if (sum === undefined) return ''
  if (sum.seen === 0) return '·'
  if (sum.seen === sum.all) return '✓'
  return `${sum.seen}/${sum.all}`
}

/**
 * Counts the cells of each operation by column, and all others by title. The column of a family has
 * the cell of the family, and those of its statuses.
 */
export function sumCells(counts: CellCounts) {
  const operations = new Map<string, Map<string, Sum>>()
  const others = new Map<string, Sum>()
  for (const [cell, count] of Object.entries(counts)) {
    const [owner, name] = cell.split('/') as [string, string]
    const status = Number(name)
    const column = Number.isNaN(status)
      ? families.find((family) => family === name)
      : (familyOf(status) ?? 'ok')
    if (owner === 'scenario') addToSums(others, 'scenarios', count)
    else if (column === undefined) addToSums(others, 'faults of deliveries', count)
    else
      operations.set(
        owner,
        addToSums(operations.get(owner) ?? new Map<string, Sum>(), column, count),
      )
  }
  return {
    operations: Array.from(operations, ([operation, cells]) => ({
      operation,
      cells: Object.fromEntries(cells),
    })),
    others: Array.from(others, ([title, sum]) => ({ title, ...sum })),
  }
}

function addToSums(sums: Map<string, Sum>, name: string, count: number): Map<string, Sum> {
  const { seen, all } = sums.get(name) ?? {
    seen: 0,
    all: 0,
  }
  return sums.set(name, {
    seen: seen + (count > 0 ? 1 : 0),
    all: all + 1,
  })
}
