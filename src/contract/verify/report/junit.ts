import { toXml } from '../../../core/definitions/xml.ts'
import type { VerifyReport, RuleResult } from '../result.ts'
import { toExchange, toGapReason, toValue, toWord } from './wording.ts'

export function toVerifyJunit({ rules, gaps, left }: VerifyReport): string {
  const broken = rules.filter((rule) => toWord(rule) === 'broken').length
  const skipped = rules.filter((rule) => toWord(rule) === 'not seen').length
  const unseen = gaps.filter(({ outcome }) => outcome === 'unseen').length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="greenhouse-mock verify" tests="${rules.length + gaps.length + left.length}" failures="${broken + left.length}">`,
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
    ...(left.length === 0 ? [] : toLeftSuite(left)),
    '</testsuites>',
    '',
  ].join('\n')
}

/** A failed test for each object that could not be deleted, as the exit code is 1 then. */
function toLeftSuite(left: readonly string[]): string[] {
  return [
    `  <testsuite name="left behind" tests="${left.length}" failures="${left.length}">`,
    ...left.map(
      (one) =>
        `    <testcase classname="left behind" name="${escape(one)}"><failure message="It could not be deleted."/></testcase>`,
    ),
    '  </testsuite>',
  ]
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

function escape(text: string): string {
  return toXml(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
}
