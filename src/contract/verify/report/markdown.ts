import type { VerifyReport } from '../result.ts'
import { brokenRules, toExchange, toGapReason, toSummary, toValue, toWord } from './wording.ts'

export function toVerifyMarkdown(report: VerifyReport): string {
  const { rules, gaps, left, bought, ended } = report
  const broken = brokenRules(report).map(
    (rule) =>
      `### ${rule.id}: ${toWord(rule)}\n\n${rule.words} ${capital(rule.why)}.\n${rule.reply ? `\n${fenced(toExchange(rule.reply))}\n` : ''}`,
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
    '| rule | outcome | in words |',
    '| --- | --- | --- |',
    ...rules.map(
      (rule) =>
        `| \`${rule.id}\` | ${toWord(rule)} | ${cell(rule.outcome === 'unseen' ? `${rule.words} (${rule.why})` : rule.words)} |`,
    ),
    '',
    '## Gaps',
    '',
    '| assumption | the server | default | seen from |',
    '| --- | --- | --- | --- |',
    ...gaps.map((gap) => `| \`${gap.id}\` | ${cell(toValue(gap))} | ${gap.standard} | ${cell(toGapReason(gap))} |`),
    ...(left.length === 0 ? [] : ['', '## Left behind', '', ...left.map((one) => `- ${one}`)]),
    ...(bought.length === 0 ? [] : ['', '## Bought', '', ...bought.map((one) => `- ${one}`)]),
    '',
  ].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function fenced(text: string): string {
  let fence = '```'
  while (text.includes(fence)) fence += '`'
  return `${fence}\n${text}\n${fence}`
}
