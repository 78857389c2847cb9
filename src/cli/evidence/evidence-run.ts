import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectEvidence, coverageOf, isEvidence, mergeEvidence, type Evidence } from '../../evidence/collect.ts'
import type { Coverage } from '../../evidence/coverage/coverage.ts'
import {
  toCoverageHtml,
  toCoverageJunit,
  toCoverageLine,
  toCoverageMarkdown,
  toCoverageRows,
  toNextLines,
} from '../../evidence/coverage/reports.ts'
import type { ReportCard } from '../../evidence/report-card/report-card.ts'
import { toCardHtml, toCardMarkdown, toCardText } from '../../evidence/report-card/text.ts'
import type { Greenhouse } from '../../greenhouse/greenhouse.ts'
import { UsageError } from '../errors.ts'
import { toTable } from '../output/table.ts'
import type { Terminal } from '../terminal.ts'

/** The evidence to collect about a command. */
interface EvidenceOptions {
  readonly coverage: boolean
  readonly minCoverage: number | undefined
  /** Cells that do not count. */
  readonly coverageIgnore: readonly string[]
  readonly reportCard: boolean
  /** The folder for files with the results. */
  readonly artifacts: string | undefined
}

export interface EvidenceReport {
  /** What to print. */
  readonly text: string
  /** Whether the coverage is below the threshold. */
  readonly isBelow: boolean
}

/** Starts to collect evidence of the requests to a server, and of the tests that a command runs. @throws UsageError for a glob without a match. */
export function startEvidence(greenhouse: Greenhouse, options: EvidenceOptions) {
  const cover = (evidence: Evidence) => coverageOf(evidence, greenhouse, options.coverageIgnore)
  const collector = collectEvidence(greenhouse)
  try {
    cover(mergeEvidence([]))
  } catch (error) {
    throw new UsageError(`--coverage-ignore: ${(error as Error).message}`)
  }
  const folder = mkdtempSync(join(tmpdir(), 'greenhouse-evidence-'))
  return {
    /** Makes the worlds of the command's tests write their evidence too. */
    env: { GREENHOUSE_EVIDENCE: folder },
    /** Merges the evidence, and writes the files. */
    end: (terminal: Terminal): EvidenceReport => {
      const written = readAll(folder)
      const broken = written.filter(({ evidence }) => !isEvidence(evidence))
      const evidence = mergeEvidence([collector.end(), ...written.map((one) => one.evidence).filter(isEvidence)])
      rmSync(folder, { recursive: true, force: true })
      const coverage = options.coverage ? cover(evidence) : undefined
      const card = options.reportCard ? evidence.card : undefined
      if (options.artifacts !== undefined) writeFiles(options.artifacts, coverage, card)
      const isBelow = coverage !== undefined && coverage.percent < (options.minCoverage ?? 0)
      return {
        text: [
          ...broken.map(
            ({ name }) => `Left out ${name} in GREENHOUSE_EVIDENCE: expected what collector.end() returns, as JSON.\n`,
          ),
          ...(card ? [toCardText(card)] : []),
          ...(coverage ? [toCoverageText(coverage, terminal.stderr.columns)] : []),
          ...(isBelow ? [`--min-coverage ${options.minCoverage}: ${coverage.percent.toFixed(1)} % is less.\n`] : []),
          ...reportToGitHub(terminal.env, coverage, card, isBelow),
        ].join('\n'),
        isBelow,
      }
    },
  }
}

/** Reads the files that the worlds of tests, or the user's own code, wrote. */
function readAll(folder: string): { readonly name: string; readonly evidence: unknown }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      try {
        return { name, evidence: JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown }
      } catch {
        return { name, evidence: undefined }
      }
    })
}

function toCoverageText(coverage: Coverage, width: number | undefined): string {
  const { header, rows, others } = toCoverageRows(coverage)
  return [
    toCoverageLine(coverage) + '\n',
    ...(rows.length > 0 ? [toTable([header, ...rows], width)] : []),
    ...others.map((text) => `${text}\n`),
    ...(coverage.next.length > 0 ? ['Next tests:\n', ...toNextLines(coverage).map((text) => `  ${text}\n`)] : []),
  ].join('')
}

function writeFiles(folder: string, coverage: Coverage | undefined, card: ReportCard | undefined): void {
  mkdirSync(folder, { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  if (card) {
    write('report-card.json', JSON.stringify(card, null, 2) + '\n')
    write('report-card.md', toCardMarkdown(card))
  }
  if (!coverage) return
  write('coverage.json', JSON.stringify(coverage, null, 2) + '\n')
  write('coverage.md', toCoverageMarkdown(coverage))
  write('coverage.junit.xml', toCoverageJunit(coverage))
  write('coverage.html', toCoverageHtml(coverage, card && toCardHtml(card)))
}

/** Adds the results to the summary of a step of GitHub Actions, and returns annotations. */
function reportToGitHub(
  env: NodeJS.ProcessEnv,
  coverage: Coverage | undefined,
  card: ReportCard | undefined,
  isBelow: boolean,
): string[] {
  if (env['GITHUB_ACTIONS'] !== 'true') return []
  const summary = env['GITHUB_STEP_SUMMARY']
  const sections = [...(coverage ? [toCoverageMarkdown(coverage)] : []), ...(card ? [toCardMarkdown(card)] : [])]
  if (summary) appendFileSync(summary, sections.join('\n') + '\n')
  const failed = card?.rules.filter(({ result }) => result === 'failed') ?? []
  return [
    ...(coverage ? [`::${isBelow ? 'error' : 'notice'} title=Error paths::${toCoverageLine(coverage)}\n`] : []),
    ...failed.map(
      ({ rule, title, examples: [first] }) =>
        `::warning title=${rule}::${toOneLine(`${title}: ${first?.message ?? ''}`)}\n`,
    ),
  ]
}

/** Escapes a message of a workflow command. */
function toOneLine(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
