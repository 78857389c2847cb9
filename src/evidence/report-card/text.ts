import { countOf, countTimes, toXml } from '../../core/text/messages.ts'
import { toJunit, toMarkdownTable } from '../../core/text/reports.ts'
import type { ReportCard, RuleGrade } from './report-card.ts'

const marks = { passed: '✓', failed: '✗', 'not exercised': '·' } as const

/** Formats a card for a terminal: failed rules first, with the requests that broke them. */
export function toCardText({ requests, rules }: ReportCard): string {
  const of = (result: RuleGrade['result']) => rules.filter((rule) => rule.result === result)
  const lines = [`${toHeading(requests)}:`]
  for (const { rule, title, why, failed, examples } of of('failed')) {
    lines.push(`  ${marks.failed} ${rule}: ${title}`, `      ${why} Broken ${countTimes(failed)}:`)
    for (const { message, requests } of examples.slice(0, 2)) {
      lines.push(`      ${message}`)
      for (const { entry, world, request, status } of requests)
        lines.push(`        ${entry}  ${request}  ${status}${world === 'default' ? '' : `  world=${world}`}`)
    }
  }
  for (const { rule, title, passed } of of('passed'))
    lines.push(`  ${marks.passed} ${rule}: ${title} (${countTimes(passed)})`)
  for (const [exercise, names] of byExercise(of('not exercised')))
    lines.push(`  ${marks['not exercised']} ${names.join(', ')}: ${exercise}`)
  const count = (result: RuleGrade['result']) => `${of(result).length} ${result}`
  lines.push(`  ${count('passed')}, ${count('failed')}, ${count('not exercised')}`)
  return lines.join('\n') + '\n'
}

function toHeading(requests: number): string {
  return `Report card, from ${countOf(requests, 'request')}`
}

/** Groups rules by their `exercise`: all kinds of malformed replies are one group. */
function byExercise(rules: readonly RuleGrade[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { rule, exercise } of rules) {
    const text = exercise.replace(/kind: '[^']+'/, 'kind: …')
    groups.set(text, [...(groups.get(text) ?? []), rule])
  }
  return groups
}

/** Formats a card as a Markdown table, for a pull request. */
export function toCardMarkdown({ requests, rules }: ReportCard): string {
  const rows = rules.map(({ rule, title, result, exercise, examples: [first] }) => {
    const requests = first?.requests.map(({ request, status }) => `\`${request}\` ${status}`).join(', then ')
    const message = first?.message === undefined ? '' : `${first.message}: `
    const shown = result === 'not exercised' ? exercise : message + (requests ?? '')
    return [`${marks[result]} ${result}`, `\`${rule}\``, title, shown]
  })
  return `### ${toHeading(requests)}\n\n${toMarkdownTable(['', 'rule', 'the client …', ''], rows)}`
}

/**
 * Formats a card as JUnit XML: a test case for each rule, skipped if it was not exercised. @param isGate whether a failed rule fails
 * the run; otherwise it is skipped too, so that a CI server and the exit code agree.
 */
export function toCardJunit({ rules }: ReportCard, isGate: boolean): string {
  const cases = rules.map(({ rule, title, result, why, exercise, examples: [first] }) => {
    const row = { owner: rule, name: title }
    if (result !== 'failed') return { ...row, skipped: result === 'passed' ? undefined : `not exercised: ${exercise}` }
    const requests = first?.requests.map(({ request, status }) => `${request} ${status}`).join(', then ')
    const text = `${first?.message}: ${requests}. ${why}`
    return { ...row, ...(isGate ? { failed: { message: text } } : { skipped: `failed: ${text}` }) }
  })
  return toJunit({ 'greenhouse-mock report card': cases })
}

/** Formats a card as a section of an HTML file. */
export function toCardHtml({ requests, rules }: ReportCard): string {
  const rows = rules.map(({ rule, title, why, result, exercise, examples: [first] }) => {
    const shown = (first?.requests ?? [])
      .map(({ request, status }) => `<code>${toXml(request)}</code> ${status}`)
      .join(', then ')
    const detail = result === 'not exercised' ? toXml(exercise) : `${toXml(first?.message ?? '')} ${shown}`
    const row = { passed: 'all', failed: 'none', 'not exercised': '' }[result]
    return `<tr><td title="${toXml(why)}">${rule}</td><td class="${row}">${result}</td><td style="text-align:left">${toXml(title)}</td><td style="text-align:left">${detail}</td></tr>`
  })
  return `<h2>${toHeading(requests)}</h2><table><tbody>\n${rows.join('\n')}\n</tbody></table>`
}
