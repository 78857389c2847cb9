import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { countOf, toVisible, toXml } from '../../core/text/messages.ts'
import { toJunit, toMarkdownTable } from '../../core/text/reports.ts'
import { systemNow } from '../../core/time/clock.ts'
import { collectEvidence, coverageOf, type Evidence, isEvidence, mergeEvidence } from '../../evidence/collect.ts'
import { columns, type Coverage, type CoverageRow, sumCells } from '../../evidence/coverage.ts'
import { type ReportCard, toCardHtml, toCardJunit, toCardMarkdown, toCardText } from '../../evidence/report-card.ts'
import { runCodes, UsageError, type Terminal } from '../terminal.ts'
import { toTable } from '../output/table.ts'
import { createFolder, createTemporaryFolder, withReason, writeFile } from '../files.ts'

interface EvidenceOptions {
  readonly coverage: boolean
  readonly minCoverage: number | undefined
  /** Cells or operations that count, all without any; then those that do not. */
  readonly coverageOnly: readonly string[]
  readonly coverageIgnore: readonly string[]
  readonly reportCard: boolean
  readonly failOnCard: boolean
  readonly artifacts: string | undefined
}

export type EvidenceReport = ReturnType<ReturnType<typeof startEvidence>['end']>

export function startEvidence(greenhouse: Greenhouse, options: EvidenceOptions) {
  const { coverageIgnore, coverageOnly, failOnCard, minCoverage } = options
  const cover = (evidence: Evidence) => coverageOf(evidence, greenhouse, coverageIgnore, coverageOnly)
  const collector = collectEvidence(greenhouse)
  try {
    cover(mergeEvidence([]))
  } catch (error) {
    throw new UsageError(`--coverage-only, --coverage-ignore: ${(error as Error).message}`)
  }
  const folder = createTemporaryFolder('evidence')
  return {
    env: { GREENHOUSE_EVIDENCE: folder },
    end(terminal: Terminal) {
      const written = readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => ({ name, evidence: read(join(folder, name)) }))
      const broken = written.filter(({ evidence }) => !isEvidence(evidence))
      const evidence = mergeEvidence([collector.end(), ...written.map((one) => one.evidence).filter(isEvidence)])
      rmSync(folder, { recursive: true, force: true })
      const coverage = options.coverage ? cover(evidence) : undefined
      const card = options.reportCard ? evidence.card : undefined
      const isBelow = coverage !== undefined && coverage.percent < (minCoverage ?? 0)
      const failed = failOnCard ? evidence.card.rules.filter(({ result }) => result === 'failed').length : 0
      return {
        text: [
          ...broken.map(
            ({ name }) => `Left out ${name} in GREENHOUSE_EVIDENCE: expected what collector.end() returns, as JSON.\n`,
          ),
          ...(card ? [toCardText(card)] : []),
          ...(coverage ? [toCoverageText(coverage, terminal.stderr.columns)] : []),
          ...(failed > 0 ? [`--fail-on failed: ${countOf(failed, 'rule')} of the report card failed.\n`] : []),
          ...(isBelow ? [`--min-coverage ${minCoverage}: ${coverage.percent.toFixed(1)} % is less.\n`] : []),
        ].join('\n'),
        /** Commands of GitHub Actions, to print as they are. */
        annotations: terminal.env['GITHUB_ACTIONS'] === 'true' ? toAnnotations(coverage, card, isBelow).join('') : '',
        code: failed > 0 ? runCodes.failOn : isBelow ? runCodes.coverage : 0,
        write() {
          writeFiles(options, coverage, card)
          const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY: file } = terminal.env
          if (GITHUB_ACTIONS !== 'true' || !file) return
          const sections = [coverage && toCoverageMarkdown(coverage), card && toCardMarkdown(card)].filter(Boolean)
          withReason(`write ${file}`, () => appendFileSync(file, sections.join('\n') + '\n'))
        },
      }
    },
  }
}

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function toCoverageText(coverage: Coverage, width: number | undefined): string {
  const { header, rows, others } = toCoverageRows(coverage)
  const next = coverage.next.flatMap(({ title, adds, lines }) => [
    `  ${title}: +${countOf(adds.length, 'cell')} (${adds.join(', ')})\n`,
    `    ${lines['vitest']}  in a copy of a test that calls it; without a world, the header ${lines['http']}\n`,
  ])
  return [
    toCoverageLine(coverage) + '\n',
    ...(rows.length > 0 ? [toTable([header, ...rows], width)] : []),
    ...others.map((text) => `${text}\n`),
    ...(next.length > 0 ? ['Next tests:\n', ...next] : []),
  ].join('')
}

function writeFiles(options: EvidenceOptions, coverage: Coverage | undefined, card: ReportCard | undefined): void {
  const { artifacts: folder, minCoverage, failOnCard } = options
  if (folder === undefined) return
  createFolder(folder)
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  if (card) {
    write('report-card.json', JSON.stringify(card, null, 2) + '\n')
    write('report-card.md', toCardMarkdown(card))
    write('report-card.junit.xml', toCardJunit(card, failOnCard))
  }
  if (!coverage) return
  write('coverage.json', JSON.stringify(coverage, null, 2) + '\n')
  write('coverage.md', toCoverageMarkdown(coverage))
  write('coverage.junit.xml', toCoverageJunit(coverage, minCoverage))
  write('coverage.html', toCoverageHtml(coverage, card && toCardHtml(card)))
}

function toAnnotations(coverage: Coverage | undefined, card: ReportCard | undefined, isBelow: boolean): string[] {
  const failed = card?.rules.filter(({ result }) => result === 'failed') ?? []
  return [
    ...(coverage ? [`::${isBelow ? 'error' : 'notice'} title=Error paths::${toCoverageLine(coverage)}\n`] : []),
    ...failed.map(
      ({ rule, title, examples: [first] }) =>
        `::warning title=${rule}::${toVisible(`${title}: ${first?.message ?? ''}`).replaceAll('%', '%25')}\n`,
    ),
  ]
}

function toCoverageLine({ percent, seen, cells }: Coverage): string {
  return `Error paths: ${percent.toFixed(1)} % seen, ${seen} of ${cells} cells.`
}

function toCoverageRows(coverage: Coverage): { header: string[]; rows: string[][]; others: string[] } {
  const { operations: all, others } = sumCells(coverage.counts)
  const called = all.filter(({ cells }) => Object.values(cells).some(({ seen }) => seen > 0))
  const rest = all.length - called.length
  return {
    header: ['', ...columns],
    rows: called.map((row) => [row.operation, ...columns.map((column) => toCell(row, column))]),
    others: [
      ...(rest > 0 ? [`${rest} ${rest === 1 ? 'operation was' : 'operations were'} never called`] : []),
      ...others.map(({ title, seen, all }) => `${title}: ${seen} of ${all}`),
    ],
  }
}

function toCell({ cells }: CoverageRow, column: (typeof columns)[number]): string {
  const sum = cells[column]
  return sum === undefined ? '' : sum.seen === 0 ? '·' : sum.seen === sum.all ? '✓' : `${sum.seen}/${sum.all}`
}

function toCoverageMarkdown(coverage: Coverage): string {
  const { header, rows, others } = toCoverageRows(coverage)
  const next = coverage.next.map(
    ({ operation, adds, lines }) => `- \`${lines['vitest']}\` before a call of \`${operation}\`: +${adds.length}`,
  )
  return [
    `### ${toCoverageLine(coverage)}`,
    '',
    toMarkdownTable(
      header,
      rows.map(([operation, ...cells]) => [`\`${operation}\``, ...cells]),
    ),
    ...others.map((text) => `- ${text}`),
    '',
    ...(coverage.next.length > 0 ? ['Next tests:', '', ...next, ''] : []),
  ].join('\n')
}

function toCoverageJunit({ counts, percent, seen, cells }: Coverage, minimum: number | undefined): string {
  const message = `${percent.toFixed(1)} % seen, ${seen} of ${cells} cells`
  const failed = percent < (minimum ?? 0) ? { message } : undefined
  const rows = Object.entries(counts).map(([cell, count]) => {
    const [owner, name] = cell.split('/') as [string, string]
    return { owner, name, skipped: count > 0 ? undefined : 'not seen' }
  })
  const gate = minimum === undefined ? [] : [{ owner: 'coverage', name: `--min-coverage ${minimum}`, failed }]
  return toJunit({ 'greenhouse-mock coverage': [...gate, ...rows] })
}

const style = `:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}body{max-width:72rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{padding:.25rem .6rem;border-bottom:1px solid #8884;text-align:center}
th:first-child,td:first-child{text-align:left;font-family:ui-monospace,monospace}.all{background:#2a92}.some{background:#da24}.none{background:#d443}
li{margin:.2rem 0}code{font-family:ui-monospace,monospace}`

function toCoverageHtml(coverage: Coverage, card = ''): string {
  const { operations, others } = sumCells(coverage.counts)
  const rows = operations.map(
    (row) =>
      `<tr><td>${toXml(row.operation)}</td>${columns
        .map((column) => {
          const sum = row.cells[column]
          const shown = !sum ? '' : sum.seen === 0 ? 'none' : sum.seen === sum.all ? 'all' : 'some'
          return `<td class="${shown}">${sum ? `${sum.seen}/${sum.all}` : ''}</td>`
        })
        .join('')}</tr>`,
  )
  const next = coverage.next.map(
    ({ operation, adds, lines }) =>
      `<li><code>${toXml(lines['vitest']!)}</code> before a call of <code>${toXml(operation)}</code>: +${adds.length} (${toXml(adds.join(', '))})</li>`,
  )
  const totals = others.map(({ title, seen, all }) => `<li>${title}: ${seen} of ${all}</li>`)
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Error paths</title><style>${style}</style>
<body><h1>${toXml(toCoverageLine(coverage))}</h1>
${next.length > 0 ? `<h2>Next tests</h2><ul>${next.join('')}</ul>` : ''}<h2>Operations</h2>
<table><thead><tr><th></th>${columns.map((column) => `<th>${column}</th>`).join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table><ul>${totals.join('')}</ul>${card}</body></html>
`
}

export function collectFor(greenhouse: Greenhouse, folder: string): () => void {
  const collector = collectEvidence(greenhouse)
  return () => {
    const text = JSON.stringify(collector.end())
    try {
      writeFileSync(join(folder, `${process.pid}-serve-${systemNow()}.json`), text)
    } catch {
      // The outer command has ended and no longer reads it.
    }
  }
}
