import type { GapResult, VerifyReport, RuleResult } from '../result.ts'
import type { ServerReply } from '../wire.ts'

export function toWord({ outcome, source }: RuleResult): 'kept' | 'broken' | 'differs' | 'not seen' {
  if (outcome === 'broken') return source === 'stated' ? 'broken' : 'differs'
  return outcome === 'kept' ? 'kept' : 'not seen'
}

export function toValue(gap: GapResult): string {
  if (gap.outcome === 'value') return gap.value
  return gap.outcome === 'unknown' ? 'unknown' : gap.among ? gap.among.join(' or ') : 'not observed'
}

export function toGapReason(gap: GapResult): string {
  return gap.outcome === 'value' ? gap.from : gap.why
}

export function brokenRules({ rules }: VerifyReport): readonly (RuleResult & { readonly outcome: 'broken' })[] {
  return rules.filter((rule) => rule.outcome === 'broken') as never
}

export function isIncomplete({ rules, gaps, ended }: VerifyReport): boolean {
  return ended !== undefined || [...rules, ...gaps].some((one) => one.outcome === 'unseen' && one.noReply === true)
}

export function toSummary(report: VerifyReport): string {
  const words = report.rules.map(toWord)
  const counts = (['broken', 'differs', 'kept', 'not seen'] as const)
    .map((word) => [word, words.filter((one) => one === word).length] as const)
    .filter(([word, count]) => count > 0 || word === 'broken')
    .map(([word, count]) => `${count} ${word}`)
  const known = report.gaps.filter(({ outcome }) => outcome === 'value').length
  return `Rules: ${counts.join(', ')}. Gaps: ${known} of ${report.gaps.length} recognised.`
}

const maxShown = 500

export function toExchange({ asked, status, headers, text }: ServerReply): string {
  const { body } = asked
  return [
    `> ${asked.method} ${asked.url}`,
    ...Object.entries(asked.headers).map(
      ([name, value]) => `> ${name}: ${name === 'Authorization' ? hideKey(value) : value}`,
    ),
    ...(body === undefined ? [] : [`> ${typeof body === 'string' ? shorten(body) : `(${body.length} bytes)`}`]),
    `< ${status}`,
    ...Object.entries(headers).map(([name, value]) => `< ${name}: ${value}`),
    ...(text === '' ? [] : [`< ${shorten(text)}`]),
  ].join('\n')
}

/** Hides a key, because reports are kept. */
function hideKey(credentials: string): string {
  const space = credentials.indexOf(' ')
  return space < 0 ? '***' : `${credentials.slice(0, space)} ***`
}

function shorten(text: string): string {
  const line = text.trimEnd()
  return line.length <= maxShown ? line : `${line.slice(0, maxShown)}… (${text.length} characters)`
}
