import { expect, test } from 'vitest'
import {
  toAssumptionsFile,
  toVerifyReport,
  type VerifyReport,
} from '../../src/contract/verify/index.ts'
import { globFilter } from '../../src/core/text/values.ts'
import { type ReportFormat, reportFormats } from '../../src/output/reports.ts'
import { verifyGreenhouse } from './against.ts'
import { body, isOfPlants, isRefusal, withFault } from './faults.ts'

async function reportOf(): Promise<VerifyReport> {
  const message = 'a | b <c> & "d" ]]> ``` \u0007 key_pro'
  const only = globFilter(
    [
      'plants.errors.*',
      'plants.list.auth.*',
      'plants.list.own',
      'http.head',
      'plants.error-code',
    ].concat('rate-limit.rejected'),
  )
  const wrap = withFault(body(isOfPlants, isRefusal, () => ({ error: message })))
  return (await verifyGreenhouse({ wrap, only, otherKey: undefined })).report
}

const write = (format: ReportFormat, report: VerifyReport) =>
  reportFormats[format](toVerifyReport(report))

for (const format of ['table', 'json', 'junit', 'md'] as const)
  test(`the ${format} report shows broken rules with request and reply, never the key`, async () => {
    const text = write(format, await reportOf())
    expect(text).toContain('plants.errors.body')
    expect(text).toContain('PATCH ')
    expect(text).toContain('error is not a 32-bit integer')
    expect(text.replaceAll('&apos;', "'")).toMatch(/another caller/i)
    expect(text).not.toContain('key_pro')
  })

test('the report as json is for programs', async () => {
  expect(JSON.parse(write('json', await reportOf()))).toMatchObject({
    summary: 'Rules: 1 broken, 4 kept, 1 not seen. Gaps: 1 of 3 recognised.',
    kept: false,
    left: [],
    rules: expect.arrayContaining([
      {
        id: 'plants.list.auth.missing',
        area: 'plants',
        rule: expect.any(String),
        source: 'stated',
        outcome: 'kept',
      },
      expect.objectContaining({
        id: 'plants.errors.body',
        outcome: 'broken',
        exchange: expect.stringMatching(/^> PATCH .*\n/),
      }),
      expect.objectContaining({
        id: 'plants.list.own',
        outcome: 'not seen',
        why: "it needs another caller's key: --other-key",
      }),
    ]),
    gaps: expect.arrayContaining([
      expect.objectContaining({
        id: 'http.head',
        outcome: 'value',
        value: 'as-get',
        default: 'as-get',
      }),
    ]),
  })
})

test('the report as junit has a failed test for each object that is left behind', async () => {
  const left = ['the plant "Fern", sent with the id 9223372036854775808']
  const text = write('junit', { ...(await reportOf()), left })
  expect(text).toContain('tests="10" failures="2" errors="0" time="0.000">')
  expect(text).toContain(
    'name="the plant &quot;Fern&quot;, sent with the id 9223372036854775808" time="0.000"><failure message="It could not be deleted.">It could not be deleted.</failure>',
  )
  expect(write('junit', { ...(await reportOf()), left: ['two\nlines'] })).toContain(
    'name="two&#10;lines"',
  )
})

test('the report as junit is XML whatever a server answers', async () => {
  const text = write('junit', await reportOf())
  expect(text).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="greenhouse-mock verify" tests="9" failures="1" errors="0" time="0\.000">/,
  )
  expect(text).toContain('<failure message="')
  expect(text).toContain('a | b &lt;c&gt; &amp; \\&quot;d\\&quot; ]]&gt; ```')
  // Every tag that is opened is closed, and nothing else has an angle bracket.
  const open: string[] = []
  for (const [, end, name, , alone] of text.matchAll(
    /<(\/?)([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>/g,
  )) {
    if (end) expect(open.pop()).toBe(name)
    else if (!alone) open.push(name!)
  }
  expect(open).toEqual([])
})

test('the report as md keeps its tables and fences whole', async () => {
  const text = write('md', await reportOf())
  expect(text).toContain('\n````\n> PATCH ')
  for (const line of text.split('\n').filter((line) => line.startsWith('| `')))
    expect(line.replaceAll('\\|', '').match(/\|/g)!.length, line).toBeOneOf([4, 5])
})

test('the file of assumptions holds what was seen, and says why the rest is not there', async () => {
  const report = { ...(await reportOf()), targets: { plants: 'http://real.test' } }
  expect(toAssumptionsFile(report)).toBe(
    `# What greenhouse-mock verify saw at http://real.test. Use it: greenhouse-mock serve --assume-file FILE

# plants.error-code: not observed: GET /plants answered 401, without an integer error
# rate-limit.rejected: not observed: a run stops at the first 429, and the headers of a spent window say 0 left either way
# HEAD /apps answered 200
http.head: 'as-get'
`,
  )
})

test('verify reports its purchases', async () => {
  const { report } = await verifyGreenhouse({ only: (id) => id === 'payments.settle' })
  expect(report.bought).toEqual([expect.stringMatching(/^1 credit, with the purchase pur_\w+$/)])
  expect(report.left).toEqual([])
  const [bought] = report.bought
  expect(write('table', report)).toContain(`Bought, which cannot be undone:\n  ${bought}\n`)
  expect(write('md', report)).toContain(
    `#### Bought, which cannot be undone\n\n- ${bought!.replace('_', '\\_')}\n`,
  )
  expect(JSON.parse(write('json', report)).bought).toEqual([bought])
})
