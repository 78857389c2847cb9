import { toXml } from '../core/text/messages.ts'

/** A row of a JUnit report. Without `failed` or `skipped`, it passed. */
export interface JunitCase {
  readonly owner: string
  readonly name: string
  /** Why it failed, or was left out. */
  readonly failed?: string | undefined
  readonly skipped?: string | undefined
}

/** Formats cases as JUnit XML, in a suite of their own. */
export function toJunit(suite: string, cases: readonly JunitCase[]): string {
  const count = (result: 'failed' | 'skipped') => cases.filter((one) => one[result] !== undefined).length
  const sums = `tests="${cases.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}" time="0"`
  const rows = cases.map(({ owner, name, failed, skipped }) => {
    const named = `    <testcase classname="${toXml(owner)}" name="${toXml(name)}" time="0"`
    if (failed !== undefined) return `${named}><failure message="${toXml(failed)}"/></testcase>\n`
    return skipped === undefined ? `${named}/>\n` : `${named}><skipped message="${toXml(skipped)}"/></testcase>\n`
  })
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${sums}>\n`,
    `  <testsuite name="greenhouse-mock ${suite}" ${sums}>\n${rows.join('')}  </testsuite>\n</testsuites>\n`,
  ].join('')
}
