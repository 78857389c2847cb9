import { toVisible } from '../core/definitions/visible.ts'

/** Between two columns. */
const gap = '  '

/** Rows as text in columns, each on one line; the last one is not padded. */
export function toTable(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(toVisible))
  const widths = toWidths(rows)
  return rows
    .map(
      (row) =>
        row
          .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!)))
          .join(gap)
          .trimEnd() + '\n',
    )
    .join('')
}

/** The columns from the left that a line has room for, at least one, and how many are left out. @param width of a line; any without it. */
export function fitColumns(
  cells: readonly (readonly string[])[],
  width = Infinity,
): { cells: string[][]; left: number } {
  const widths = toWidths(cells.map((row) => row.map(toVisible)))
  let taken = 0
  let fitting = 0
  for (const one of widths) {
    taken += one + (fitting === 0 ? 0 : gap.length)
    if (taken > width && fitting > 0) break
    fitting++
  }
  return { cells: cells.map((row) => row.slice(0, fitting)), left: widths.length - fitting }
}

/** How wide each column is. Not with `Math.max(...)`: a list may have more rows than a call has room for. */
function toWidths(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = []
  for (const row of rows) row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)))
  return widths
}
