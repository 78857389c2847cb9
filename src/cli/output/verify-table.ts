import {
  brokenRules,
  toExchange,
  toProbeReason,
  toSummary,
  toValue,
  toWord,
  type VerifyReport,
} from '../../contract/verify/index.ts'
import { toTable } from './table.ts'

/** Formats a report for a terminal: broken rules come last, where they are visible. */
export function toTableReport(report: VerifyReport, width?: number): string {
  const { rules, probes, left, bought, ended } = report
  const parts = [
    rules.length > 0 &&
      toTable(
        [
          ['RULE', 'OUTCOME', 'IN WORDS'],
          ...rules.map((rule) => [
            rule.id,
            toWord(rule),
            rule.outcome === 'unseen' ? `${rule.words} (${rule.why})` : rule.words,
          ]),
        ],
        width,
      ),
    probes.length > 0 &&
      toTable(
        [
          ['ASSUMPTION', 'THE SERVER', 'DEFAULT', 'SEEN FROM'],
          ...probes.map((probe) => [probe.id, toValue(probe), probe.standard, toProbeReason(probe)]),
        ],
        width,
      ),
    ...brokenRules(report).map(
      (rule) =>
        `${rule.id}: ${toWord(rule)}\n  ${rule.words}\n  ${rule.why}\n${rule.reply ? indented(toExchange(rule.reply)) : ''}`,
    ),
    left.length > 0 && `Left behind, for you to delete:\n${left.map((one) => `  ${one}\n`).join('')}`,
    bought.length > 0 && `Bought, which cannot be undone:\n${bought.map((one) => `  ${one}\n`).join('')}`,
    ended !== undefined && `${ended}\n`,
    `${toSummary(report)}\n`,
  ]
  return parts.filter((part) => part !== false).join('\n')
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('')
}
