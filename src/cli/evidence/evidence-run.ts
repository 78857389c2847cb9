import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { countOf } from '../../core/text/messages.ts'
import { failuresOf, reportFormats } from '../../core/text/reports.ts'
import { systemNow } from '../../core/time/clock.ts'
import { collectEvidence, coverageOf, type Evidence, isEvidence, mergeEvidence } from '../../evidence/collect.ts'
import { toCoverageReport } from '../../evidence/coverage.ts'
import { toCardReport } from '../../evidence/report-card.ts'
import { writeReports } from '../output/report.ts'
import { runCodes, UsageError, type Terminal } from '../terminal.ts'
import { createTemporaryFolder } from '../files.ts'

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
      const seen = cover(evidence)
      const card = toCardReport(evidence.card, failOnCard)
      const coverage = toCoverageReport(seen, minCoverage)
      const [failed, isBelow] = [failuresOf(card).length, failuresOf(coverage).length > 0]
      const reports = [...(options.reportCard ? [card] : []), ...(options.coverage ? [coverage] : [])]
      return {
        text: [
          ...broken.map(
            ({ name }) => `Left out ${name} in GREENHOUSE_EVIDENCE: expected what collector.end() returns, as JSON.\n`,
          ),
          ...reports.map((report) => reportFormats.table(report, terminal.stderr.columns)),
          ...(failed > 0 ? [`--fail-on failed: ${countOf(failed, 'rule')} of the report card failed.\n`] : []),
          ...(isBelow ? [`--min-coverage ${minCoverage}: ${seen.percent.toFixed(1)} % is less.\n`] : []),
        ].join('\n'),
        write: () => writeReports(terminal, options.artifacts, reports.toReversed()),
        code: failed > 0 ? runCodes.failOn : isBelow ? runCodes.coverage : 0,
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
