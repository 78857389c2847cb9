import type { VerifyReport } from '../result.ts'
import { brokenRules, toExchange, toSummary, toWord } from './wording.ts'

export function toVerifyJson(report: VerifyReport): string {
  const { targets, gaps, left, bought, ended } = report
  const rules = report.rules.map((rule) => ({
    id: rule.id,
    area: rule.area,
    rule: rule.words,
    source: rule.source,
    outcome: toWord(rule),
    ...(rule.outcome !== 'kept' && { why: rule.why }),
    ...(rule.outcome === 'broken' && rule.reply && { exchange: toExchange(rule.reply) }),
  }))
  const found = gaps.map((gap) => ({
    id: gap.id,
    question: gap.question,
    outcome: gap.outcome === 'unseen' ? 'not observed' : gap.outcome,
    ...(gap.outcome === 'value'
      ? { value: gap.value, default: gap.standard, from: gap.from }
      : { default: gap.standard, why: gap.why }),
    ...(gap.outcome === 'unseen' && gap.among && { among: gap.among }),
  }))
  const all = {
    summary: toSummary(report),
    kept: brokenRules(report).every(({ source }) => source !== 'stated'),
    targets,
    rules,
    gaps: found,
    left,
    bought,
    ...(ended !== undefined && { ended }),
  }
  return JSON.stringify(all, null, 2) + '\n'
}
