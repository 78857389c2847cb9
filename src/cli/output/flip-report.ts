import {
  toFlipJson,
  toFlipJunit,
  toFlipMarkdown,
  toRows,
  toSentences,
  type FlipReport,
} from '../../contract/flip/index.ts'
import { toVisibleJson } from '../../core/definitions/visible.ts'
import type { ReportFormat } from '../flags/values.ts'
import { print } from './print.ts'
import { toTable } from './table.ts'
import type { Terminal } from '../terminal.ts'

export function printFlipReport(terminal: Terminal, format: ReportFormat, report: FlipReport): void {
  if (format === 'json') terminal.stdout.write(toVisibleJsonLines(toFlipJson(report)))
  else if (format === 'junit') print(terminal, toFlipJunit(report))
  else if (format === 'md') print(terminal, toFlipMarkdown(report))
  else print(terminal, toFlipTable(report, terminal.stdout.columns))
}

function toFlipTable(report: FlipReport, width: number | undefined): string {
  const rows = toRows(report).map(({ id, inForce, values, outcome, line }) => [
    id,
    inForce,
    values.join(', '),
    outcome,
    line,
  ])
  const table = toTable([['ASSUMPTION', 'IN FORCE', 'VARIANT', 'OUTCOME', 'FIRST LINE THAT FAILED'], ...rows], width)
  const lines = table.split('\n').map((line) => line.trimEnd())
  return `${lines.join('\n')}\n${toSentences(report).join('\n')}\n`
}

/** Escapes characters in each line of JSON. Line ends stay, because they are only between values. */
function toVisibleJsonLines(json: string): string {
  return json.split('\n').map(toVisibleJson).join('\n')
}
