import { globFilter } from '../../core/definitions/glob.ts'
import { suggest } from '../../core/definitions/suggest.ts'
import { proposeTests, type ProposedTest } from './propose.ts'

/** Which failures a test suite has seen. */
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
 * Compares what was seen with all cells. @param ignore globs of cells that do not count, or of their operations: `apps.*`,
 * `*413`. @param only the same of those that count; all without any. @throws RangeError for a glob without a match.
 */
export function toCoverage(
  all: readonly string[],
  counts: CellCounts,
  ignore: readonly string[] = [],
  only: readonly string[] = [],
): Coverage {
  const cells = all.filter((cell) => (only.length === 0 || matches(cell, only)) && !matches(cell, ignore))
  for (const glob of [...only, ...ignore])
    if (!all.some((cell) => matches(cell, glob)))
      throw new RangeError(
        `No cell of the coverage matches ${JSON.stringify(glob)}.${suggest(glob, glob.includes('/') ? all : all.map(toOwner))}`,
      )
  const seen = cells.filter((cell) => Object.hasOwn(counts, cell)).length
  const known = Object.fromEntries(cells.map((cell) => [cell, Object.hasOwn(counts, cell) ? counts[cell]! : 0]))
  return {
    cells: cells.length,
    seen,
    percent: cells.length === 0 ? 100 : Math.floor((seen / cells.length) * 1_000) / 10,
    counts: known,
    next: proposeTests(known),
  }
}

function matches(cell: string, globs: string | readonly string[]): boolean {
  return [cell, toOwner(cell)].some(globFilter(globs))
}

/** Returns the operation of a cell, its event, or `scenario`. */
function toOwner(cell: string): string {
  return cell.split('/')[0]!
}

/** Merges the counts of several processes. */
export function mergeCounts(all: readonly CellCounts[]): CellCounts {
  const sum: Record<string, number> = {}
  for (const counts of all)
    for (const [cell, count] of Object.entries(counts)) sum[cell] = (Object.hasOwn(sum, cell) ? sum[cell]! : 0) + count
  return sum
}
