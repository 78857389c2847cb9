import { toVisible } from '../../../core/definitions/visible.ts'
import type { FlipReport } from '../result.ts'
import { toRows } from './rows.ts'
import { toSentences } from './sentences.ts'

export function toFlipMarkdown(report: FlipReport): string {
  const rows = toRows(report).map(({ id, inForce, values, outcome, line }) =>
    [`\`${id}\``, toCode(inForce), values.map(toCode).join(', '), outcome, line === '' ? '' : toCode(line)].join(' | '),
  )
  const table = [
    'Assumption | In force | Variant | Outcome | First line that failed',
    '--- | --- | --- | --- | ---',
    ...rows,
  ]
  return `${toSentences(report).join('\n')}\n\n${table.map((row) => `| ${row} |\n`).join('')}`
}

/** Formats code with enough backticks. A bar is escaped, because it would end the cell. */
function toCode(text: string): string {
  const shown = toVisible(text).replaceAll('|', '\\|')
  const longest = Math.max(0, ...shown.split(/[^`]+/).map((ticks) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${shown}${fence}` : `${fence} ${shown} ${fence}`
}
