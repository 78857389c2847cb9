import { toVisible } from '../core/text/messages.ts'

const gap = '  '

export function toTable(cells: readonly (readonly string[])[], width = Infinity): string {
  const rows = cells.map((row) => row.map(toVisible))
  const widths = toFittingWidths(rows, width)
  return rows.map((row) => toTableLines(row, widths)).join('')
}

function toTableLines(row: readonly string[], widths: readonly number[]): string {
  const columns = widths.map((width, at) => ({
    width,
    lines: wrapLines(row[at] ?? '', width),
  }))
  const height = columns.reduce((max, { lines }) => Math.max(max, lines.length), 1)
  return Array.from({ length: height }, (_, index) => {
    const cells = columns.map(({ width, lines }) => (lines[index] ?? '').padEnd(width))
    return cells.join(gap).trimEnd() + '\n'
  }).join('')
}

function toFittingWidths(rows: readonly (readonly string[])[], width: number): number[] {
  const widths = toWidths(rows)
  let over = widths.reduce((sum, one) => sum + one, 0) + gap.length * (widths.length - 1) - width
  if (over <= 0) return widths
  const least = toWidths(rows.map((row) => row.map(longestWord)))
  const columns = widths.map((width, at) => ({
    width,
    least: least[at] ?? width,
  }))
  while (over > 0) {
    const shrinking = columns.filter((column) => column.width > column.least)
    const [widest] = shrinking.sort((one, other) => other.width - one.width)
    if (!widest) break
    widest.width--
    over--
  }
  return columns.map(({ width }) => width)
}

const longestWord = (cell: string): string =>
  cell.split(' ').reduce((longest, word) => {
    if (word.length > longest.length) return word
    return longest
  }, '')

export function fitColumns(cells: readonly (readonly string[])[], width = Infinity) {
  const widths = toWidths(cells.map((row) => row.map(toVisible)))
  let taken = 0
  let count = 0
  for (const one of widths) {
    taken += one
    if (taken > width && count > 0) break
    taken += gap.length
    count++
  }
  return {
    cells: cells.map((row) => row.slice(0, count)),
    left: widths.length - count,
  }
}

/**
 * Returns the width of each column. Does not use `Math.max(...)`, which fails with very many rows.
 */
function toWidths(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = []
  for (const row of rows)
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)))
  return widths
}

export function wrapLines(text: string, width: number): string[] {
  if (text.length <= width) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
