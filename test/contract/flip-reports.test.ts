import { builtInCatalogue } from '../../src/catalogue/catalogue.ts'
import { expect, test } from 'vitest'
import { type CommandRun, type FlipReport, toFlipReport } from '../../src/contract/flip/index.ts'
import {
  type CommandReport,
  type ReportFormat,
  reportFormats,
  toAnnotations,
  toHtml,
} from '../../src/output/reports.ts'
import { createGreenhouse } from 'greenhouse-mock'

const [holds, breaks, hangs, unread, varies] = createGreenhouse().variants({
  only: [
    'plants.list.limit-invalid',
    'plants.unknown-query',
    'plants.name.length',
    'http.head',
    'apps.list.shape',
  ],
})
const run = (changes: Partial<CommandRun>): CommandRun => ({
  code: 0,
  ms: 1_500,
  hasHung: false,
  line: undefined,
  output: '',
  ...changes,
})
const write = (format: ReportFormat, report: FlipReport) =>
  reportFormats[format](toFlipReport(report))
const nasty = 'Error: `a|b` <c> & "d" \u001b[31m \u202e ]]>'

const report: FlipReport = {
  command: ['npm', 'test'],
  inForce: builtInCatalogue.assumptionRegistry.resolve(),
  baseline: {
    ms: 1_000,
    requests: 3,
    consulted: new Set(['plants.unknown-query', 'plants.list.limit-invalid']),
    isFlaky: false,
  },
  isPartial: false,
  results: [
    {
      variant: holds!,
      outcome: 'holds',
      run: run({ line: 'all is well', output: 'all is well\n' }),
    },
    {
      variant: breaks!,
      outcome: 'breaks',
      run: run({ code: 1, line: nasty, output: `first\n${nasty}\n` }),
    },
    { variant: hangs!, outcome: 'hung', run: run({ code: 137, hasHung: true }) },
    { variant: unread!, outcome: 'not consulted' },
  ],
}

test('JSON', () => {
  const { variants, ...rest } = JSON.parse(write('json', report)) as { variants: object[] }
  expect(rest).toEqual({
    command: ['npm', 'test'],
    baseline: {
      ms: 1_000,
      requests: 3,
      consulted: ['plants.list.limit-invalid', 'plants.unknown-query'],
      flaky: false,
    },
    depends_on: ['plants.unknown-query', 'plants.name.length'],
    partial: false,
    summary: { breaks: 1, hung: 1, flaky: 0, holds: 1, not_run: 0, not_consulted: 1 },
  })
  const fields = ['assumption', 'in_force', 'value', 'outcome', 'exit_code', 'ms', 'line', 'output']
  const rows = [
    ['plants.list.limit-invalid', '400', 'ignore', 'holds', 0, 1_500, null, null],
    ['plants.unknown-query', 'ignore', 'reject', 'breaks', 1, 1_500, nasty, `first\n${nasty}\n`],
    ['plants.name.length', 'any', '1-255', 'hung', null, 1_500, null, ''],
    ['http.head', 'as-get', '404', 'not_consulted', null, null, null, null],
  ]
  expect(variants.map(Object.entries)).toEqual(
    rows.map((row) => row.map((value, at) => [fields[at], value])),
  )
})

test('JUnit: nothing of what a command printed ends the document early', () => {
  expect(write('junit', report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="greenhouse-mock flip" tests="4" failures="2" errors="0" time="4.500">
  <testsuite name="greenhouse-mock flip" tests="4" failures="2" errors="0" skipped="1" time="4.500">
    <testcase classname="plants.list.limit-invalid" name="plants.list.limit-invalid=ignore" time="1.500"/>
    <testcase classname="plants.unknown-query" name="plants.unknown-query=reject" time="1.500"><failure type="breaks" message="Error: \`a|b\` &lt;c&gt; &amp; &quot;d&quot; \\x1b[31m \\u202e ]]&gt; (in force: ignore)">first
Error: \`a|b\` &lt;c&gt; &amp; &quot;d&quot; \\x1b[31m \\u202e ]]&gt;
</failure></testcase>
    <testcase classname="plants.name.length" name="plants.name.length=1-255" time="1.500"><failure type="hung" message="still running after 1.5 s (in force: any)">still running after 1.5 s (in force: any)</failure></testcase>
    <testcase classname="http.head" name="http.head=404" time="0.000"><skipped message="not consulted"/></testcase>
  </testsuite>
</testsuites>
`)
})

test('Markdown: what a command printed stays in its cell', () => {
  expect(write('md', report)).toBe(`### What the command depends on

The command depends on 2 unstated behaviours: plants.unknown-query, plants.name.length.
3 variants ran: 1 broke the command, 1 hung, 1 held.
1 variant did not run, because the command never consulted their assumptions. --all runs them too.

| Assumption | In force | Variant | Outcome | First line that failed |
| --- | --- | --- | --- | --- |
| \`plants.unknown-query\` | \`ignore\` | \`reject\` | breaks | \`\` Error: \`a\\|b\` <c> & "d" \\x1b[31m \\u202e ]]> \`\` |
| \`plants.name.length\` | \`any\` | \`1-255\` | hung | \`still running after 1.5 s\` |
| \`plants.list.limit-invalid\` | \`400\` | \`ignore\` | holds |  |
| \`http.head\` | \`as-get\` | \`404\` | not consulted |  |
`)
})

const wild = 'a|b <img> _c_ @octocat [x](y) `z` \\# ~&~ \u202e'
const wildReport: CommandReport = {
  name: '',
  title: wild,
  summary: wild,
  sections: [
    {
      title: wild,
      columns: ['1', '2', '3'],
      rows: [[wild, { code: '' }, { code: 'x\\|y \u202e' }]],
      notes: [wild],
      code: '\u202e',
    },
  ],
  suites: { all: [{ owner: wild, name: wild, failed: { message: wild } }] },
  data: undefined,
}

test('Markdown: words are no markup, and no code is empty', () => {
  const shown =
    'a&#124;b \\<img\\> \\_c\\_ @&#8203;octocat \\[x\\](y) \\`z\\` \\\\\\# \\~\\&\\~ \\\\u202e'
  const lines = reportFormats.md(wildReport).split('\n')
  expect(lines.filter((line) => line !== '')).toEqual([
    `### ${shown}`,
    shown,
    `#### ${shown}`,
    '| 1 | 2 | 3 |',
    '| --- | --- | --- |',
    // In a table, GitHub reads a pipe after any backslash as part of the cell, without the
    // backslash before it.
    `| ${shown} | \`""\` | \`x\\\\|y \\u202e\` |`,
    `- ${shown}`,
    '```',
    '\\u202e',
    '```',
  ])
})

test.each([
  ['HTML', 5, toHtml([wildReport])],
  ['JUnit', 4, reportFormats.junit(wildReport)],
])('%s shows marks that turn text around', (_, count, text) => {
  expect(text).not.toContain('\u202e')
  expect(text.split('a|b &lt;img&gt; _c_ @octocat [x](y) `z` \\# ~&amp;~ \\u202e')).toHaveLength(
    count + 1,
  )
})

test('an annotation has no mark of GitHub but its own, and a table fits the terminal', () => {
  const failed = { message: '50 %\n::error::no' }
  const suites = { all: [{ owner: 'a:b,c', name: 'd', failed, at: { file: 'x,y.yaml', line: 3 } }] }
  expect(toAnnotations({ ...wildReport, summary: '100 %', suites })).toBe(
    '::error file=x%2Cy.yaml,line=3,title=a%3Ab%2Cc::d: 50 %25%0A::error::no\n::notice title=::100 %25\n',
  )
  const sections = [
    { columns: ['many', 'few'], rows: [['one two three four five six', 'seven eight']] },
  ]
  expect(reportFormats.table({ ...wildReport, summary: 'end', sections }, 24)).toBe(
    'MANY         FEW\none two      seven eight\nthree four\nfive six\n\nend\n',
  )
})

test('a test that failed by chance is called flaky, not dependent', () => {
  const flaky: FlipReport = {
    ...report,
    results: [
      { variant: varies!, outcome: 'flaky', run: run({ code: 1, line: 'Error: now and then' }) },
    ],
  }
  expect(JSON.parse(write('json', flaky))).toMatchObject({
    depends_on: [],
    summary: { breaks: 0, flaky: 1 },
    variants: [{ outcome: 'flaky', exit_code: 1, line: 'Error: now and then' }],
  })
  expect(write('junit', flaky)).toContain(
    '<failure type="flaky" message="Error: now and then (in force: data)">',
  )
  expect(write('md', flaky)).toBe(`### What the command depends on

No unstated behaviour breaks the command every time.
1 variant ran: 0 broke the command, 0 hung, 1 failed by chance, 0 held.

| Assumption | In force | Variant | Outcome | First line that failed |
| --- | --- | --- | --- | --- |
| \`apps.list.shape\` | \`data\` | \`array\` | flaky | \`Error: now and then\` |
`)
  expect(write('md', { ...flaky, baseline: { ...flaky.baseline, isFlaky: true } })).toContain(
    'The command is flaky: it also failed without any change, so its failures do not show what it depends on. First make it pass every time.\n',
  )
})
