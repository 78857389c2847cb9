import type { VerifyReport, RuleResult } from '../result.ts'
import { toExchange, toGapReason, toValue, toWord } from './told.ts'

/** Formats a report as JUnit XML for CI servers: a test for each rule, and one for each gap, which never fails. */
export function toVerifyJunit({ rules, gaps }: VerifyReport): string {
  const broken = rules.filter((rule) => toWord(rule) === 'broken').length
  const skipped = rules.filter((rule) => toWord(rule) === 'not seen').length
  const unseen = gaps.filter(({ outcome }) => outcome === 'unseen').length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="greenhouse-mock verify" tests="${rules.length + gaps.length}" failures="${broken}">`,
    `  <testsuite name="rules" tests="${rules.length}" failures="${broken}" skipped="${skipped}">`,
    ...rules.map(toCase),
    '  </testsuite>',
    `  <testsuite name="gaps" tests="${gaps.length}" failures="0" skipped="${unseen}">`,
    ...gaps.map((gap) =>
      gap.outcome === 'unseen'
        ? skippedCase('gaps', gap.id, gap.why)
        : `    <testcase classname="gaps" name="${escape(gap.id)}"><system-out>${escape(`${toValue(gap)}: ${toGapReason(gap)}`)}</system-out></testcase>`,
    ),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function toCase(rule: RuleResult): string {
  const head = `<testcase classname="${rule.area}" name="${escape(rule.id)}"`
  if (rule.outcome === 'kept') return `    ${head}/>`
  if (rule.outcome === 'unseen') return skippedCase(rule.area, rule.id, rule.why)
  const text = escape(`${rule.words}\n${rule.why}${rule.reply ? `\n\n${toExchange(rule.reply)}` : ''}`)
  return toWord(rule) === 'broken'
    ? `    ${head}><failure message="${escape(rule.why)}">${text}</failure></testcase>`
    : `    ${head}><system-out>${text}</system-out></testcase>`
}

function skippedCase(area: string, id: string, why: string): string {
  return `    <testcase classname="${area}" name="${escape(id)}"><skipped message="${escape(why)}"/></testcase>`
}

/** Escapes text for XML, and replaces characters that XML cannot express by U+FFFD. */
function escape(text: string): string {
  let escaped = ''
  for (const character of text) {
    const code = character.codePointAt(0)!
    if (
      (code < 32 && code !== 9 && code !== 10) ||
      (code >= 0xd800 && code < 0xe000) ||
      code === 0xfffe ||
      code === 0xffff
    )
      escaped += '\ufffd'
    else escaped += entities[character] ?? character
  }
  return escaped
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
}
