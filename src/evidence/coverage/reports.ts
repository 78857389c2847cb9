import { countOf } from '../../core/definitions/count-of.ts'
import { toXml } from '../../core/definitions/xml.ts'
import { toJunit } from '../junit.ts'
import type { Coverage } from './coverage.ts'
import { columns, sumByOperation, sumOthers, type CoverageRow } from './table.ts'

export function toCoverageLine({ percent, seen, cells }: Coverage): string {
  return `Error paths: ${percent.toFixed(1)} % seen, ${seen} of ${cells} cells.`
}

export function toCoverageRows(coverage: Coverage): { header: string[]; rows: string[][]; others: string[] } {
  const all = sumByOperation(coverage)
  const called = all.filter(({ cells }) => Object.values(cells).some(({ seen }) => seen > 0))
  const rest = all.length - called.length
  return {
    header: ['', ...columns],
    rows: called.map((row) => [row.operation, ...columns.map((column) => toCell(row, column))]),
    others: [
      ...(rest > 0 ? [`${rest} ${rest === 1 ? 'operation was' : 'operations were'} never called`] : []),
      ...sumOthers(coverage).map(({ title, seen, all }) => `${title}: ${seen} of ${all}`),
    ],
  }
}

function toCell({ cells }: CoverageRow, column: (typeof columns)[number]): string {
  const sum = cells[column]
  return sum === undefined ? '' : sum.seen === 0 ? '·' : sum.seen === sum.all ? '✓' : `${sum.seen}/${sum.all}`
}

export function toNextLines({ next }: Coverage): string[] {
  return next.flatMap(({ title, adds, lines }) => [
    `${title}: +${countOf(adds.length, 'cell')} (${adds.join(', ')})`,
    `  ${lines['vitest']}  in a copy of a test that calls it; without a world, the header ${lines['http']}`,
  ])
}

export function toCoverageMarkdown(coverage: Coverage): string {
  const { header, rows, others } = toCoverageRows(coverage)
  const toLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    `### ${toCoverageLine(coverage)}`,
    '',
    toLine(header),
    toLine(header.map(() => '---')),
    ...rows.map(([operation, ...cells]) => toLine([`\`${operation}\``, ...cells])),
    '',
    ...others.map((text) => `- ${text}`),
    '',
    ...(coverage.next.length > 0 ? ['Next tests:', '', ...toNextItems(coverage), ''] : []),
  ].join('\n')
}

function toNextItems({ next }: Coverage): string[] {
  return next.map(
    ({ operation, adds, lines }) => `- \`${lines['vitest']}\` before a call of \`${operation}\`: +${adds.length}`,
  )
}

/**
 * Formats coverage as JUnit XML: a test case for each cell, skipped if it was not seen. @param minimum the least percentage, which
 * is a case of its own.
 */
export function toCoverageJunit({ counts, percent, seen, cells }: Coverage, minimum: number | undefined): string {
  const failed = percent < (minimum ?? 0) ? `${percent.toFixed(1)} % seen, ${seen} of ${cells} cells` : undefined
  const rows = Object.entries(counts).map(([cell, count]) => {
    const [owner, name] = cell.split('/') as [string, string]
    return { owner, name, skipped: count > 0 ? undefined : 'not seen' }
  })
  const gate = minimum === undefined ? [] : [{ owner: 'coverage', name: `--min-coverage ${minimum}`, failed }]
  return toJunit('coverage', [...gate, ...rows])
}

const style = `:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}body{max-width:72rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{padding:.25rem .6rem;border-bottom:1px solid #8884;text-align:center}
th:first-child,td:first-child{text-align:left;font-family:ui-monospace,monospace}.all{background:#2a92}.some{background:#da24}.none{background:#d443}
li{margin:.2rem 0}code{font-family:ui-monospace,monospace}`

export function toCoverageHtml(coverage: Coverage, card = ''): string {
  const rows = sumByOperation(coverage).map(
    (row) =>
      `<tr><td>${toXml(row.operation)}</td>${columns
        .map((column) => {
          const sum = row.cells[column]
          const look = !sum ? '' : sum.seen === 0 ? 'none' : sum.seen === sum.all ? 'all' : 'some'
          return `<td class="${look}">${sum ? `${sum.seen}/${sum.all}` : ''}</td>`
        })
        .join('')}</tr>`,
  )
  const next = coverage.next.map(
    ({ operation, adds, lines }) =>
      `<li><code>${toXml(lines['vitest']!)}</code> before a call of <code>${toXml(operation)}</code>: +${adds.length} (${toXml(adds.join(', '))})</li>`,
  )
  const totals = sumOthers(coverage).map(({ title, seen, all }) => `<li>${title}: ${seen} of ${all}</li>`)
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Error paths</title><style>${style}</style>
<body><h1>${toXml(toCoverageLine(coverage))}</h1>
${next.length > 0 ? `<h2>Next tests</h2><ul>${next.join('')}</ul>` : ''}<h2>Operations</h2>
<table><thead><tr><th></th>${columns.map((column) => `<th>${column}</th>`).join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table><ul>${totals.join('')}</ul>${card}</body></html>
`
}
