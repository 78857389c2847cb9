import { shorten } from '../../core/text/messages.ts'
import type { Cell, CommandReport, ReportCase } from '../../output/reports.ts'
import type { RuleResult } from './probe.ts'
import type { AssumptionResult, VerifyReport } from './verify.ts'
import type { ServerReply } from './wire.ts'

export { knownIds, TargetUnreachableError, verify, type VerifyReport } from './verify.ts'

export function toAssumptionsFile({ probes, targets }: VerifyReport): string {
  const lines = probes.map((probe) => {
    if (probe.outcome === 'value')
      return `# ${oneLine(probe.from)}\n${probe.id}: '${probe.value}'\n`
    const what = probe.outcome === 'unknown' ? 'none of the known values' : 'not observed'
    return `# ${probe.id}: ${what}: ${oneLine(probe.why)}\n`
  })
  return `# What greenhouse-mock verify saw at ${Object.values(targets).join(' and ')}. Use it: greenhouse-mock serve --assume-file FILE\n\n${lines.join('')}`
}

function oneLine(text: string): string {
  return Array.from(text, (character) => (character < ' ' ? ' ' : character)).join('')
}

export function toVerifyReport({
  targets,
  rules: checked,
  probes,
  left,
  bought,
  ended,
}: VerifyReport): CommandReport {
  const rules = checked.map(toVerifiedRule)
  const gaps = probes.map(describeGap)
  const summary = summarizeRules(rules, gaps)
  const kept = rules.every(({ outcome }) => outcome !== 'broken')
  const ruleRows = rules.map(({ id, outcome, rule, why }): Cell[] => [
    { code: id },
    outcome,
    outcome === 'not seen' ? `${rule} (${why})` : rule,
  ])
  return {
    name: 'verify',
    title: 'What the server does',
    summary: ended === undefined ? summary : `${ended}\n${summary}`,
    sections: [
      {
        title: 'Rules',
        columns: ['rule', 'outcome', 'in words'],
        rows: ruleRows,
      },
      {
        title: 'Gaps',
        columns: ['assumption', 'the server', 'default', 'seen from'],
        rows: gaps.map(toGapRow),
      },
      ...rules.filter(isRuleBroken).map(({ id, outcome, rule, why, exchange }) => ({
        title: `${id}, ${outcome}`,
        notes: [rule, String(why)],
        code: exchange,
      })),
      { title: 'Left behind, for you to delete', notes: left },
      { title: 'Bought, which cannot be undone', notes: bought },
    ],
    suites: {
      rules: rules.map(toReportCase),
      gaps: gaps.map(toGapCase),
      ...leftSuiteOf(left),
    },
    data: {
      summary,
      kept,
      targets,
      rules,
      gaps,
      left,
      bought,
      ended,
    },
  }
}

function toGapCase(gap: GapRow): ReportCase {
  const row = {
    owner: 'gaps',
    name: gap.id,
  }
  if (gap.outcome === 'not observed')
    return {
      ...row,
      skipped: gap.why,
    }
  return {
    ...row,
    output: toSeen(gap).join(': '),
  }
}

/** A failed test for each object that could not be deleted, as the exit code is 1 then. */
function leftSuiteOf(left: readonly string[]): Record<string, ReportCase[]> {
  const owner = 'left behind'
  const failed = { message: 'It could not be deleted.' }
  const cases = left.map((name) => ({
    owner,
    name,
    failed,
  }))
  return cases.length > 0 ? { [owner]: cases } : {}
}

function toVerifiedRule(found: RuleResult) {
  const { id, area, words: rule, source, outcome } = found
  const broken = source === 'stated' ? 'broken' : 'differs'
  const outcomes = {
    kept: 'kept',
    broken,
    unseen: 'not seen',
  } as const
  return {
    id,
    area,
    rule,
    source,
    outcome: outcomes[outcome],
    why: found.outcome === 'kept' ? undefined : found.why,
    exchange: found.outcome === 'broken' && found.reply ? toExchange(found.reply) : undefined,
  }
}

type RuleRow = ReturnType<typeof toVerifiedRule>

function isRuleBroken({ outcome }: RuleRow): boolean {
  return outcome === 'broken' || outcome === 'differs'
}

function toReportCase({
  area: owner,
  id: name,
  rule,
  outcome,
  why,
  exchange,
}: RuleRow): ReportCase {
  if (outcome === 'kept') return { owner, name }
  if (outcome === 'not seen')
    return {
      owner,
      name,
      skipped: why,
    }
  const text = [`${rule}\n${why}`, exchange].filter(Boolean).join('\n\n')
  if (outcome === 'differs')
    return {
      owner,
      name,
      output: text,
    }
  return {
    owner,
    name,
    failed: {
      message: String(why),
      text,
    },
  }
}

function describeGap(probe: AssumptionResult) {
  const { id, question, outcome, standard } = probe
  const isKnown = probe.outcome === 'value'
  return {
    id,
    question,
    outcome: outcome === 'unseen' ? 'not observed' : outcome,
    value: isKnown ? probe.value : undefined,
    default: standard,
    from: isKnown ? probe.from : undefined,
    why: isKnown ? undefined : probe.why,
    among: probe.outcome === 'unseen' ? probe.among : undefined,
  }
}

type GapRow = ReturnType<typeof describeGap>

function toGapRow(gap: GapRow): Cell[] {
  const [value, from] = toSeen(gap)
  return [{ code: gap.id }, value, gap.default, from]
}

function toSeen({ outcome, value, among, from, why }: GapRow): [value: string, from: string] {
  return [value ?? among?.join(' or ') ?? outcome, from ?? why!]
}

export function isIncomplete({ rules, probes, ended }: VerifyReport): boolean {
  return (
    ended !== undefined ||
    [...rules, ...probes].some((one) => one.outcome === 'unseen' && one.noReply === true)
  )
}

function summarizeRules(rules: readonly RuleRow[], gaps: readonly GapRow[]): string {
  const counts = ['broken', 'differs', 'kept', 'not seen']
    .map((word) => [word, rules.filter(({ outcome }) => outcome === word).length] as const)
    .filter(([word, count]) => count > 0 || word === 'broken')
    .map(([word, count]) => `${count} ${word}`)
  const known = gaps.filter(({ outcome }) => outcome === 'value').length
  return `Rules: ${counts.join(', ')}. Gaps: ${known} of ${gaps.length} recognised.`
}

const maxShown = 500

function toExchange({ asked, status, headers, text }: ServerReply): string {
  const { method, url, body } = asked
  const lines = [`> ${method} ${url}`]
  for (const [name, value] of Object.entries(asked.headers)) {
    // Reports are kept, so they show no key.
    const isKey = name === 'Authorization'
    lines.push(`> ${name}: ${isKey ? value.replace(/^(\S+ )?.*/, '$1***') : value}`)
  }
  if (typeof body === 'string') lines.push(`> ${shorten(body.trimEnd(), maxShown)}`)
  else if (body) lines.push(`> (${body.length} bytes)`)
  lines.push(`< ${status}`)
  for (const [name, value] of Object.entries(headers)) lines.push(`< ${name}: ${value}`)
  if (text !== '') lines.push(`< ${shorten(text.trimEnd(), maxShown)}`)
  return lines.join('\n')
}
