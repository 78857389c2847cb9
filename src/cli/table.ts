import { toVisible } from '../core/definitions/visible.ts'

/** Rows as text in columns, each on one line; the last one is not padded. */
export function toTable(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(toVisible))
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map(
      (row) =>
        row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!))).join('  ') + '\n',
    )
    .join('')
}
