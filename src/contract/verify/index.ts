import { shorten } from '../../core/text/messages.ts'
import { type ReportCase, toJunit, toMarkdownTable } from '../../core/text/reports.ts'
import type { RuleResult } from './probe.ts'
import type { AssumptionResult, VerifyReport } from './verify.ts'
import type { ServerReply } from './wire.ts'

export { TargetUnreachableError } from './session.ts'

export { knownIds, verify } from './verify.ts'
export type { VerifyReport } from './verify.ts'

export function toAssumptionsFile({ probes, targets }: VerifyReport): string {
  const lines = probes.map((probe) => {
    if (probe.outcome === 'value') return `# ${oneLine(probe.from)}\n${probe.id}: '${probe.value}'\n`
    const what = probe.outcome === 'unknown' ? 'none of the known values' : 'not observed'
    return `# ${probe.id}: ${what}: ${oneLine(probe.why)}\n`
  })
  return `# What greenhouse-mock verify saw at ${Object.values(targets).join(' and ')}. Use it: greenhouse-mock serve --assume-file FILE\n\n${lines.join('')}`
}

function oneLine(text: string): string {
  return Array.from(text, (character) => (character < ' ' ? ' ' : character)).join('')
}

export const verifyFormats = { table: toVerifyText, json: toVerifyJson, junit: toVerifyJunit, md: toVerifyMarkdown }

function toVerifyText(report: VerifyReport, toTable: (cells: string[][]) => string): string {
  const { rules, probes, left, bought, ended } = report
  const parts = [
    rules.length > 0 && toTable([['RULE', 'OUTCOME', 'IN WORDS'], ...toRuleRows(report)]),
    probes.length > 0 && toTable([['ASSUMPTION', 'THE SERVER', 'DEFAULT', 'SEEN FROM'], ...toGapRows(report)]),
    ...brokenRules(report).map((rule) => {
      const exchange = rule.reply ? `    ${toExchange(rule.reply).replaceAll('\n', '\n    ')}\n` : ''
      return `${rule.id}: ${toWord(rule)}\n  ${rule.words}\n  ${rule.why}\n${exchange}`
    }),
    left.length > 0 && `Left behind, for you to delete:\n${left.map((one) => `  ${one}\n`).join('')}`,
    bought.length > 0 && `Bought, which cannot be undone:\n${bought.map((one) => `  ${one}\n`).join('')}`,
    ended !== undefined && `${ended}\n`,
    `${toSummary(report)}\n`,
  ]
  return parts.filter((part) => part !== false).join('\n')
}

function toVerifyJson(report: VerifyReport): string {
  const { targets, probes, left, bought, ended } = report
  const rules = report.rules.map((rule) => ({
    id: rule.id,
    area: rule.area,
    rule: rule.words,
    source: rule.source,
    outcome: toWord(rule),
    why: rule.outcome === 'kept' ? undefined : rule.why,
    exchange: rule.outcome === 'broken' && rule.reply ? toExchange(rule.reply) : undefined,
  }))
  const found = probes.map((probe) => ({
    id: probe.id,
    question: probe.question,
    outcome: probe.outcome === 'unseen' ? 'not observed' : probe.outcome,
    ...(probe.outcome === 'value'
      ? { value: probe.value, default: probe.standard, from: probe.from }
      : { default: probe.standard, why: probe.why }),
    ...(probe.outcome === 'unseen' && probe.among && { among: probe.among }),
  }))
  const [summary, kept] = [toSummary(report), isKept(report)]
  const all = { summary, kept, targets, rules, gaps: found, left, bought, ended }
  return JSON.stringify(all, null, 2) + '\n'
}

function toVerifyMarkdown(report: VerifyReport): string {
  const { left, bought, ended } = report
  const broken = brokenRules(report).map(
    (rule) =>
      `### ${rule.id}: ${toWord(rule)}\n\n${rule.words} ${rule.why.replace(/^./, (first) => first.toUpperCase())}.\n${rule.reply ? `\n${fenced(toExchange(rule.reply))}\n` : ''}`,
  )
  return [
    '# What the server does',
    '',
    toSummary(report),
    ...(ended === undefined ? [] : ['', `**${ended}**`]),
    '',
    ...broken,
    '## Rules',
    '',
    toMarkdownTable(['rule', 'outcome', 'in words'], toRuleRows(report).map(markId)),
    '## Gaps',
    '',
    toMarkdownTable(['assumption', 'the server', 'default', 'seen from'], toGapRows(report).map(markId)).trimEnd(),
    ...(left.length === 0 ? [] : ['', '## Left behind', '', ...left.map((one) => `- ${one}`)]),
    ...(bought.length === 0 ? [] : ['', '## Bought', '', ...bought.map((one) => `- ${one}`)]),
    '',
  ].join('\n')
}

function toRuleRows({ rules }: VerifyReport): string[][] {
  return rules.map((one) => [one.id, toWord(one), one.outcome === 'unseen' ? `${one.words} (${one.why})` : one.words])
}

function toGapRows({ probes }: VerifyReport): string[][] {
  return probes.map((probe) => [probe.id, toValue(probe), probe.standard, toProbeReason(probe)])
}

function markId([id, ...cells]: string[]): string[] {
  return [`\`${id}\``, ...cells]
}

function fenced(text: string): string {
  let fence = '```'
  while (text.includes(fence)) fence += '`'
  return `${fence}\n${text}\n${fence}`
}

const notDeleted = { message: 'It could not be deleted.' }

function toVerifyJunit({ rules, probes, left }: VerifyReport): string {
  const suites = {
    rules: rules.map(toCase),
    gaps: probes.map((probe) => ({
      owner: 'gaps',
      name: probe.id,
      ...(probe.outcome === 'unseen'
        ? { skipped: probe.why }
        : { output: `${toValue(probe)}: ${toProbeReason(probe)}` }),
    })),
    // A failed test for each object that could not be deleted, as the exit code is 1 then.
    ...(left.length > 0 && {
      'left behind': left.map((name) => ({ owner: 'left behind', name, failed: notDeleted })),
    }),
  }
  return toJunit(suites, 'greenhouse-mock verify')
}

function toCase(rule: RuleResult): ReportCase {
  const row = { owner: rule.area, name: rule.id }
  if (rule.outcome === 'kept') return row
  if (rule.outcome === 'unseen') return { ...row, skipped: rule.why }
  const text = `${rule.words}\n${rule.why}${rule.reply ? `\n\n${toExchange(rule.reply)}` : ''}`
  return toWord(rule) === 'broken' ? { ...row, failed: { message: rule.why, text } } : { ...row, output: text }
}

function toWord({ outcome, source }: RuleResult): 'kept' | 'broken' | 'differs' | 'not seen' {
  if (outcome === 'broken') return source === 'stated' ? 'broken' : 'differs'
  return outcome === 'kept' ? 'kept' : 'not seen'
}

function toValue(probe: AssumptionResult): string {
  if (probe.outcome === 'value') return probe.value
  return probe.outcome === 'unknown' ? 'unknown' : probe.among ? probe.among.join(' or ') : 'not observed'
}

function toProbeReason(probe: AssumptionResult): string {
  return probe.outcome === 'value' ? probe.from : probe.why
}

function brokenRules({ rules }: VerifyReport): readonly (RuleResult & { readonly outcome: 'broken' })[] {
  return rules.filter((rule) => rule.outcome === 'broken')
}

export function isKept(report: VerifyReport): boolean {
  return brokenRules(report).every(({ source }) => source !== 'stated')
}

export function isIncomplete({ rules, probes, ended }: VerifyReport): boolean {
  return ended !== undefined || [...rules, ...probes].some((one) => one.outcome === 'unseen' && one.noReply === true)
}

function toSummary(report: VerifyReport): string {
  const words = report.rules.map(toWord)
  const counts = (['broken', 'differs', 'kept', 'not seen'] as const)
    .map((word) => [word, words.filter((one) => one === word).length] as const)
    .filter(([word, count]) => count > 0 || word === 'broken')
    .map(([word, count]) => `${count} ${word}`)
  const known = report.probes.filter(({ outcome }) => outcome === 'value').length
  return `Rules: ${counts.join(', ')}. Gaps: ${known} of ${report.probes.length} recognised.`
}

const maxShown = 500

function toExchange({ asked, status, headers, text }: ServerReply): string {
  const { body } = asked
  return [
    `> ${asked.method} ${asked.url}`,
    // Reports are kept, so they show no key.
    ...Object.entries(asked.headers).map(
      ([name, value]) => `> ${name}: ${name === 'Authorization' ? value.replace(/^(\S+ )?.*/, '$1***') : value}`,
    ),
    ...(body === undefined
      ? []
      : [`> ${typeof body === 'string' ? shorten(body.trimEnd(), maxShown) : `(${body.length} bytes)`}`]),
    `< ${status}`,
    ...Object.entries(headers).map(([name, value]) => `< ${name}: ${value}`),
    ...(text === '' ? [] : [`< ${shorten(text.trimEnd(), maxShown)}`]),
  ].join('\n')
}
