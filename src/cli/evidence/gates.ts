import { countOf } from '../../core/text/messages.ts'
import {
  type CommandReport,
  failuresOf,
  type ReportCase,
  reportFormats,
} from '../../output/reports.ts'
import { type Coverage, toCoverageReport } from '../../evidence/coverage.ts'
import { type ReportCard, toCardReport } from '../../evidence/report-card.ts'
import { type BrokenContract, toViolationReport } from '../../evidence/violations.ts'
import type { GateArguments } from '../flags/gates.ts'
import { writeReports } from '../output/report.ts'
import { runCodes, type Terminal, UsageError } from '../terminal.ts'

interface CollectedEvidence {
  readonly card: ReportCard
  readonly coverage: Coverage
  readonly violations: readonly BrokenContract[]
}

/** The findings that can fail a run. */
interface Gate {
  /** `--min-coverage 50`. */
  readonly gate: string
  /** The exit code if it fails. */
  readonly exit_code: number
  /** Why it failed. */
  readonly failed?: string
}

/** The reasons that fail a run: every format and the exit code are made of them. */
export interface GateVerdict {
  readonly code: number
  readonly text: string
  write(): void
}

/** The findings that are judged and printed. */
interface Wanted {
  readonly coverage: boolean
  readonly card: boolean
  readonly violations: boolean
  /** The rules of the report card that can fail the run. */
  readonly rules: readonly string[]
}

export function readWanted(args: GateArguments): Wanted {
  const { coverageOnly, coverageIgnore, failOn, ignoreRule } = args
  const both = ignoreRule.find((rule) => failOn.includes(rule))
  if (both !== undefined)
    throw new UsageError(
      `--ignore-rule ${both}: not together with --fail-on ${both}. Use one of them.`,
    )
  const rules = failOn.filter((one) => one !== 'violations')
  return {
    coverage:
      args.coverage ||
      args.minCoverage !== undefined ||
      [...coverageOnly, ...coverageIgnore].length > 0,
    card: args.reportCard || rules.length > 0,
    violations: args.failOnViolations || failOn.includes('violations'),
    rules,
  }
}

/** How a command ended: its exit code, and the one that also counts what could not be written. */
export interface CommandEnd {
  readonly ended: number
  readonly code: number
}

/** @param command how it ended, if there was one: that comes before gates */
export function toVerdict(
  found: CollectedEvidence,
  args: GateArguments,
  terminal: Terminal,
  command?: CommandEnd,
): GateVerdict {
  const wanted = readWanted(args)
  const { minCoverage } = args
  const failing = found.card.rules
    .map(({ rule }) => rule)
    .filter((rule) => !args.ignoreRule.includes(rule))
    .filter((rule) => wanted.rules.includes(rule) || wanted.rules.includes('failed'))
  const card = toCardReport(found.card, failing)
  const coverage = toCoverageReport(found.coverage, minCoverage)
  const violations = toViolationReport(found.violations, args.ignoreViolation, wanted.violations)
  const reported = {
    card,
    coverage,
    violations,
  }
  const gates = [...toCommandGates(command), ...toEvidenceGates(reported, wanted, minCoverage)]
  const code = gates.find(({ failed }) => failed !== undefined)?.exit_code ?? 0
  const summary = toGateReport(gates, code)
  const reports: CommandReport[] = []
  if (wanted.coverage) reports.push(coverage)
  if (wanted.card) reports.push(card)
  if (wanted.card || wanted.violations) reports.push(violations)
  reports.push(summary)
  return {
    code,
    text: [card, coverage, violations, summary]
      .filter((report) => reports.includes(report))
      .map((report) => reportFormats.table(report, terminal.stderr.columns))
      .filter((text) => text !== '')
      .join('\n'),
    write: () => writeReports(terminal, args.artifacts, reports),
  }
}

function toCommandGates(command: CommandEnd | undefined): Gate[] {
  if (!command) return []
  const { ended, code } = command
  const failed = ended === 0 ? undefined : `exit code ${ended}`
  const gates: Gate[] = [
    {
      gate: 'the command',
      exit_code: ended,
      failed,
    },
  ]
  if (ended !== code)
    gates.push({
      gate: 'files',
      exit_code: code,
      failed: 'the state or a case was not written',
    })
  return gates
}

function toEvidenceGates(
  { card, coverage, violations }: Readonly<Record<keyof CollectedEvidence, CommandReport>>,
  wanted: Wanted,
  minCoverage: number | undefined,
): Gate[] {
  const gates: Gate[] = []
  const add = (gate: string, exit_code: number, failed: string | undefined) =>
    gates.push({
      gate,
      exit_code,
      failed,
    })
  if (wanted.violations) {
    const hasFailed = failuresOf(violations).length > 0
    add('--fail-on violations', runCodes.failOn, hasFailed ? violations.title : undefined)
  }
  if (wanted.rules.length > 0) {
    const rules = failuresOf(card).map(({ owner }) => owner)
    const failed = `${countOf(rules.length, 'rule')} of the report card failed: ${rules.join(', ')}`
    const gate = `--fail-on ${wanted.rules.join(', ')}`
    add(gate, runCodes.failOn, rules.length > 0 ? failed : undefined)
  }
  if (minCoverage !== undefined) {
    const [first] = failuresOf(coverage)
    add(`--min-coverage ${minCoverage}`, runCodes.coverage, first?.failed?.message)
  }
  return gates
}

function toGateReport(gates: readonly Gate[], code: number): CommandReport {
  const failed = gates.filter((gate) => gate.failed !== undefined)
  const toLine = (gate: Gate) => `${gate.gate} failed: ${gate.failed}`
  const title =
    failed.length === 0 ? 'No gate failed' : `Exit code ${code}: ${failed.map(toLine).join('; ')}`
  const toCase = ({ gate, failed: message }: Gate): ReportCase => ({
    owner: 'gates',
    name: gate,
    failed: message === undefined ? undefined : { message },
    // Other reports have the annotations of what failed a gate, but not of the command.
    isAnnotatedElsewhere: gate.startsWith('--'),
  })
  return {
    name: 'gates',
    title,
    text: failed.map((gate) => `${toLine(gate)}.\n`).join(''),
    sections: [
      {
        columns: ['', 'gate', 'exit code', 'why'],
        rows: gates.map(({ gate, exit_code, failed }) => [
          failed === undefined ? '✓ passed' : '✗ failed',
          { code: gate },
          failed === undefined ? '' : String(exit_code),
          failed ?? '',
        ]),
      },
    ],
    suites: { 'greenhouse-mock gates': gates.map(toCase) },
    data: {
      exit_code: code,
      gates: gates.map(({ gate, exit_code, failed }) => ({
        gate,
        passed: failed === undefined,
        exit_code,
        why: failed ?? null,
      })),
    },
  }
}
