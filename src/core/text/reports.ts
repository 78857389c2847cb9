import { toXml } from './messages.ts'

export interface ReportCase {
  readonly owner: string
  readonly name: string
  readonly ms?: number | undefined
  readonly failed?: { readonly message: string; readonly type?: string; readonly text?: string } | undefined
  readonly skipped?: string | undefined
  readonly output?: string | undefined
}

export function toJunit(suites: Readonly<Record<string, readonly ReportCase[]>>, name?: string): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${name === undefined ? '' : ` name="${name}"`} ${toSums(Object.values(suites).flat())}>`,
    ...Object.entries(suites).flatMap(([suite, cases]) => [
      `  <testsuite name="${suite}" ${toSums(cases)}>`,
      ...cases.map(toCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function toSums(cases: readonly ReportCase[]): string {
  const count = (result: 'failed' | 'skipped') => cases.filter((one) => one[result] !== undefined).length
  const ms = cases.reduce((sum, one) => sum + (one.ms ?? 0), 0)
  return `tests="${cases.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}" time="${toTime(ms)}"`
}

function toCase({ owner, name, ms = 0, failed, skipped, output }: ReportCase): string {
  const head = `    <testcase classname="${toAttribute(owner)}" name="${toAttribute(name)}" time="${toTime(ms)}"`
  if (failed) {
    const type = failed.type === undefined ? '' : ` type="${failed.type}"`
    const failure = `${head}><failure${type} message="${toAttribute(failed.message)}"`
    return `${failure}${failed.text === undefined ? '/>' : `>${toXml(failed.text)}</failure>`}</testcase>`
  }
  if (skipped !== undefined) return `${head}><skipped message="${toAttribute(skipped)}"/></testcase>`
  return output === undefined ? `${head}/>` : `${head}><system-out>${toXml(output)}</system-out></testcase>`
}

function toTime(ms: number): string {
  return (ms / 1_000).toFixed(3)
}

/** Readers of XML make a space of a line feed in an attribute. */
function toAttribute(text: string): string {
  return toXml(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
}

export function toMarkdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const toLine = (cells: readonly string[]) =>
    `| ${cells.map((text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |\n`
  return [head, head.map(() => '---'), ...rows].map(toLine).join('')
}
