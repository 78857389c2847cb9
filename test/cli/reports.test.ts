import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nobody, run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { soaks } from '../support/soak.ts'

// The fetch of Node would take three times as long.
const script = (path: string) =>
  `const own = { authorization: 'Bearer ' + process.env.GREENHOUSE_KEY_PRO }
  const ask = (headers) => new Promise((resolve, reject) =>
    require('node:http')
      .get(process.env.PLANTS_BASE_URL + '${path}', { headers: { ...own, ...headers } }, (reply) => resolve(reply.resume().statusCode))
      .on('error', reject))
  const run = async () => {
    ${path === '/plants' ? "await ask({ 'x-greenhouse-scenario': 'rate-limited-plan' })" : ''}
    if ((await ask()) !== 200) throw new Error('a | b <c> & "d"')
  }
  void run()`
const command = (path: string) => ['--', process.execPath, '-e', script(path)]

interface Reported {
  /**
   * What the command is, which finds something that fails it; `FILE` stands for the files below.
   */
  readonly words: string
  readonly command?: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  readonly code?: number
  /** The file for the step's summary. */
  readonly summary?: string
  /** What every format says, how JUnit counts it, and what GitHub shows. */
  readonly shown: string
  readonly counts: string
  readonly annotation: RegExp
}

const reports: Readonly<Record<string, Reported>> = {
  check: {
    words: 'check FILE',
    files: { 'plants.yaml': 'plants:\n  - { id: 1, name: A, account: nobody }\n' },
    shown: 'there is no account',
    counts: 'tests="1" failures="1" errors="0"',
    annotation:
      /^::error file=\S+plants\.yaml,line=2,col=23,title=\S+::plants\.0\.account: there is no account "nobody"/m,
  },
  verify: {
    words:
      'verify --target-plants URL --key key_pro --expired-key key_pro --only plants.list.auth.expired',
    shown: 'plants.list.auth.expired',
    counts: 'tests="1" failures="1" errors="0"',
    annotation: /^::error title=plants::plants\.list\.auth\.expired: .*200/m,
  },
  flip: {
    words: 'flip --only plants.unknown-query',
    command: command('/plants?unknown=1'),
    shown: 'plants.unknown-query',
    counts: 'tests="1" failures="1" errors="0"',
    annotation:
      /^::error title=plants\.unknown-query::plants\.unknown-query=reject: Error: a \| b <c> & "d" \(in force: ignore\)$/m,
  },
  replay: {
    words: 'case replay FILE/a.yaml',
    files: {
      'a.yaml':
        'case: 1\nsteps: [{ request: GET /plants, reply: { status: 204 } }, { request: GET /plants, reply: { status: 200 } }]\n',
    },
    shown: 'GET /plants',
    counts: 'tests="2" failures="1" errors="0"',
    annotation:
      /^::error title=\S+a\.yaml::Step 1, GET \/plants: status: expected 204, received 401$/m,
  },
  coverage: {
    words: 'run --min-coverage 50',
    command: command('/plants'),
    code: 3,
    shown: 'plants.list',
    counts: 'tests="\\d+" failures="1" errors="0"',
    annotation: /^::error title=coverage::--min-coverage 50: \d\.\d %25 seen, \d of \d+ cells$/m,
  },
  'report-card': {
    words: 'run --fail-on failed',
    command: command('/plants'),
    code: 4,
    shown: 'retry-after-honoured',
    counts: 'tests="21" failures="1" errors="0"',
    annotation:
      /^::error title=retry-after-honoured::Waits for Retry-After before it tries again: waited /m,
  },
}

/** Runs the command of a report as a step of GitHub Actions, with a folder for its artifacts. */
async function runReport(report: Reported, ...flags: string[]) {
  const { words, files = {}, command = [], summary = 'summary' } = report
  const folder = writeFolder({ ...files, summary: '' })
  const url = words.includes('URL') ? (await startServe()).ready.plants_url : ''
  const given = words.split(' ').map((word) => word.replace('FILE', folder).replace('URL', url))
  const env = { ...process.env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, summary) }
  const out = join(folder, 'out')
  const ended = await run([...given, '--artifacts', out, ...flags, ...command], { env })
  const written = Object.fromEntries(
    readdirSync(out).map((file) => [file, readFileSync(join(out, file), 'utf8')] as const),
  )
  return { ...ended, written, summary: readFileSync(join(folder, 'summary'), 'utf8') }
}

test.each(Object.entries(reports))(
  '%s: each format, annotations and the summary say the same',
  async (name, report) => {
    const { code, stdout, stderr, written, summary } = await runReport(report)
    expect(code).toBe(report.code ?? 1)
    const files = ['html', 'json', 'junit.xml', 'md'].map((ending) => `${name}.${ending}`)
    expect(Object.keys(written)).toEqual(expect.arrayContaining(files))
    const { shown } = report
    for (const file of files) expect(written[file], file).toContain(shown)
    expect(stdout + stderr).toContain(shown)
    expect(written[`${name}.junit.xml`]).toMatch(
      new RegExp(`^<\\?xml .*\\n<testsuites name="greenhouse-mock ${name}" ${report.counts}`),
    )
    expect(written[`${name}.html`]).toMatch(/^<!doctype html>/)
    expect(JSON.parse(written[`${name}.json`]!)).toBeTypeOf('object')
    expect(stderr).toMatch(report.annotation)
    expect(summary).toContain(written[`${name}.md`])
  },
)

const printed = Object.entries(reports).filter(([, { words }]) => !words.startsWith('run'))
const formats = { json: 'json', junit: 'junit.xml', md: 'md' }

test.each(
  printed.flatMap(([name, report]) =>
    Object.entries(formats)
      // Those that start servers and commands print one at the usual size.
      .filter(([format]) => soaks || format === 'md' || /^(check|replay)$/.test(name))
      .map(([format, ending]) => ({ name, format, ending, report })),
  ),
)(
  '$name --report $format prints the file that it writes with the ending $ending',
  async ({ name, format, ending, report }) => {
    const { stdout, written } = await runReport(report, '--report', format)
    expect(stdout).toBe(written[`${name}.${ending}`])
  },
)

test('the page of a report card says why each rule is one', async () => {
  const { written } = await runReport(reports['report-card']!)
  expect(written['report-card.html']).toMatch(
    /<code title="A client that comes back early .*">retry-after-honoured</,
  )
})

test.each(['check', 'replay'])('%s --json is one line with the same data', async (name) => {
  const { stdout, written } = await runReport(reports[name]!, '--json')
  expect(stdout).toMatch(/^\{.*\}\n$/)
  expect(JSON.parse(stdout)).toEqual(JSON.parse(written[`${name}.json`]!))
})

test.each(printed)(
  '%s: a summary that cannot be written changes no exit code',
  async (_, report) => {
    const { code, stderr } = await runReport({ ...report, summary: 'none/s' })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Failed to write \S+s: no such file or directory\.$/m)
  },
)

test('verify writes its assumptions if the report cannot be written', async () => {
  const words =
    'verify --target-plants URL --key key_pro --only http.head --write FILE/out/assumptions.yaml'
  const { code, written } = await runReport({ ...reports['verify']!, words, summary: 'none/s' })
  expect({ code, file: written['assumptions.yaml'] }).toEqual({
    code: 2,
    file: expect.stringMatching(/^# What greenhouse-mock verify saw /),
  })
})

test.each([
  ['verify', `--target-plants=${nobody}`, '--key=k'],
  ['flip', '--', process.execPath, '-e', 'process.exit(9)'],
])('%s first creates the folder of its artifacts', async (name, ...words) => {
  const file = join(writeFolder({ file: '' }), 'file')
  const stderr = `Failed to create the folder ${file}: file already exists.\n`
  expect(await run([name, '--artifacts', file, ...words])).toMatchObject({ code: 2, stderr })
})

test.runIf(process.platform === 'linux')(
  'a folder above a link is the one that its path names',
  async () => {
    const folder = writeFolder({ 'target/inner/a': '', 'here/a': '' })
    symlinkSync(join(folder, 'target/inner'), join(folder, 'here/link'))
    const artifacts = `${folder}/here/link/../new/artifacts`
    const words = ['run', '--coverage', '--artifacts', artifacts]
    expect(await run([...words, '--', process.execPath, '-e', ''])).toMatchObject({ code: 0 })
    expect(readdirSync(join(folder, 'here/new/artifacts'))).toContain('coverage.json')
    expect(readdirSync(join(folder, 'target'))).toEqual(['inner'])
  },
)

test.runIf(process.platform === 'linux')(
  'where no folder can be created, the command ends with an error',
  async () => {
    const words = ['run', '--coverage', '--artifacts', '/proc/none/here']
    expect(await run([...words, '--', process.execPath, '-e', ''])).toMatchObject({
      code: 2,
      stderr: 'Failed to create the folder /proc/none/here: no such file or directory.\n',
    })
  },
)

test('case replay --against shows the key in no format', async () => {
  const key = 'sk_secret_abcdef123456'
  const step = `request: 'GET /plants?token=${key}', reply: { status: `
  const files = { 'a.yaml': `case: 1\nsteps: [{ ${step}204 } }, { ${step}401 } }]\n` }
  const words = `case replay FILE/a.yaml --against URL --key ${key}`
  const ended = await runReport({ ...reports['replay']!, words, files })
  expect(ended).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('GET /plants?token=fp_') as string,
  })
  expect(JSON.stringify(ended)).not.toContain(key)
})

test('nothing that a report shows is a command of GitHub, or ends one', async () => {
  const files = {
    'a,line=9::b%.yaml': 'plants:\n  - { id: 1, name: A, account: "%0A::error::\\n::set-env::" }\n',
  }
  const { stderr } = await runReport({ ...reports['check']!, files })
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(
      /^::error file=[^:,]*a%2Cline=9%3A%3Ab%25\.yaml,line=2,col=23,title=[^:,]*::[^:]*: there .*%250A::error::%0A::set-env::/,
    ),
    expect.stringMatching(/^::notice title=check::.*: 1 problem\.$/),
  ])
})
