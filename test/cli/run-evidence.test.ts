import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createWithWorld } from 'greenhouse-mock/testing'
import { run } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { isWindows } from '../support/lacks.ts'
import { runScript } from './server.ts'

const runWith = (script: string, flags: string[], env: NodeJS.ProcessEnv = {}) =>
  runScript(script, flags, { env: { ...process.env, GITHUB_ACTIONS: undefined, ...env } })

const early = `const headers = { 'x-greenhouse-scenario': 'rate-limited-plan' }; await ask('/plants', { headers }); await ask('/plants')`

const asks = `await ask('/plants'); await ask('/v1/apps?limit=100'); await ask('/~two/plants', { headers: { 'x-greenhouse-scenario': 'server-error' } })`

test('run --coverage prints the coverage, a row for each called operation, and the next tests', async () => {
  const { code, stdout, stderr } = await runWith(asks, ['--coverage'])
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr).toMatch(/^Error paths: \d\.\d % seen, 5 of \d{3} cells\.\n/)
  expect(stderr).toMatch(/^plants\.list +✓ .* ✓ /m)
  expect(stderr).toMatch(/^apps\.list +✓ /m)
  expect(stderr).not.toMatch(/^apps\.create/m)
  expect(stderr).toContain(
    "plants.list, with the scenario expired-key: +3 cells (plants.list/401, plants.list/auth, scenario/expired-key)\n    world.use('expired-key')",
  )
})

test('below --min-coverage the exit code is 3; cells that are ignored do not count', async () => {
  expect(await runWith(asks, ['--min-coverage', '50'])).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /\n--min-coverage 50 failed: \d\.\d % seen, \d of \d{3} cells\.\n$/,
    ),
  })
  const ignored = ['*', 'plants.list/200'].flatMap((glob) => ['--coverage-ignore', glob])
  expect(await runWith(asks, ['--min-coverage', '100', ...ignored])).toMatchObject({ code: 0 })
  expect(await runWith(`${asks}; process.exit(7)`, ['--min-coverage', '50'])).toMatchObject({
    code: 7,
  })
})

test('run --report-card prints what failed with its requests, and what was not exercised', async () => {
  const { code, stderr } = await runWith(early, ['--report-card'])
  expect(code).toBe(0)
  expect(stderr).toMatch(/^Report card, from 2 requests:\n  ✗ retry-after-honoured: /)
  expect(stderr).toMatch(
    /\n      waited \d+ ms, not 60 s\n        1  GET \/plants  429\n        2  GET \/plants  200\n/,
  )
  expect(stderr).toMatch(/\n  · survives-missing, survives-null, .*kind: …/)
  expect(stderr).toMatch(/\n  \d passed, 1 failed, \d+ not exercised\n$/)
})

test('a file in GREENHOUSE_EVIDENCE that holds no evidence is left out, with its name', async () => {
  const write = ['{"foo":1}', 'null', 'text'].map(
    (text, at) =>
      `require('fs').writeFileSync(process.env.GREENHOUSE_EVIDENCE + '/${at}.json', '${text}')`,
  )
  const folder = `require('fs').mkdirSync(process.env.GREENHOUSE_EVIDENCE + '/3.json')`
  const { code, stderr } = await runWith(`${asks}; ${[...write, folder].join('; ')}`, [
    '--coverage',
  ])
  expect(code).toBe(0)
  for (const name of ['0.json', '1.json', '2.json', '3.json'])
    expect(stderr).toContain(
      `Left out ${name} in GREENHOUSE_EVIDENCE: expected what collector.end() returns, as JSON.`,
    )
  expect(stderr).toMatch(/Error paths: \d\.\d % seen, 5 of/)
})

test.each([
  [
    '--report-card',
    early,
    0,
    /failures="0" .*"retry-after-honoured".*<skipped message="failed: waited/s,
  ],
  [
    '--fail-on failed --min-coverage 50',
    early,
    4,
    /1 rule of the report card failed: retry-after-honoured\..*<failure message="waited \d+ ms/s,
  ],
  ['--fail-on failed', asks, 0, /failures="0"/],
  [
    '--fail-on violations --report-card',
    `await ask('/plants?limt=3')`,
    4,
    /1 violation of the contract:.*failures="0"/s,
  ],
  [
    '--min-coverage 50 --coverage-only plants.list',
    asks,
    3,
    /tests="14" failures="1" [^]*"--min-coverage 50".*<failure message="23\.0 % seen, 3 of 13 .*\n(.*"plants\.list".*\n){13}  <\//,
  ],
])('%s fails the run as its JUnit report says', async (flags, script, code, shown) => {
  const folder = writeFolder({})
  const ended = await runWith(script, [...flags.split(' '), '--artifacts', folder])
  const report = `${flags.includes('only') ? 'coverage' : 'report-card'}.junit.xml`
  expect(ended.code).toBe(code)
  expect(ended.stderr + readFileSync(join(folder, report), 'utf8')).toMatch(shown)
})

test('with --artifacts, the results are files, and GitHub gets annotations and a summary', async () => {
  const folder = writeFolder({ summary: '' })
  const { stderr } = await runWith(
    asks,
    ['--coverage', '--report-card', '--artifacts', join(folder, 'out')],
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    },
  )
  const read = (name: string) => readFileSync(join(folder, 'out', name), 'utf8')
  expect(JSON.parse(read('coverage.json'))).toMatchObject({
    seen: 5,
    counts: { 'plants.list/500': 1 },
  })
  expect(JSON.parse(read('report-card.json'))).toMatchObject({ requests: 3 })
  expect(read('coverage.junit.xml')).toContain(
    '<testcase classname="plants.list" name="429" time="0.000"><skipped message="not seen"/>',
  )
  const page = read('coverage.html')
  for (const part of [
    '<h1>Report card, from 3 requests</h1>',
    '"all">✓<',
    '"none">·<',
    '<code>apps.create</code>',
  ])
    expect(page).toContain(part)
  expect(read('report-card.md')).toContain('| ✓ passed | `contract` |')
  const parts = ['coverage', 'report-card', 'violations', 'gates'].map((name) => read(`${name}.md`))
  expect(readFileSync(join(folder, 'summary'), 'utf8')).toBe(`${parts.join('\n')}\n`)
  expect(stderr).toContain('::notice title=coverage::Error paths: ')
})

/** What the system says of a path that leads through a file. */
const noFolder = isWindows ? 'no such file or directory' : 'not a directory'

const temporary = isWindows ? 'TEMP' : 'TMPDIR'

test.each([
  [
    ['--artifacts', '{file}'],
    {},
    '',
    2,
    'Failed to create the folder {file}: file already exists.\n',
  ],
  [
    ['--coverage'],
    { GITHUB_STEP_SUMMARY: '{file}/s' },
    '',
    2,
    `Failed to write {file}/s: ${noFolder}.\n`,
  ],
  [
    ['--coverage'],
    { GITHUB_STEP_SUMMARY: '{file}/s' },
    'process.exit(7)',
    7,
    `Failed to write {file}/s: ${noFolder}`,
  ],
  [
    ['--coverage'],
    { [temporary]: '{file}' },
    '',
    2,
    `a folder in {file}, which the variable ${temporary} names: ${noFolder}.\n`,
  ],
])(
  'a result that can not be written is named with the reason: %j %j %j',
  async (flags, env, script, code, message) => {
    const file = join(writeFolder({ file: '' }), 'file')
    const named = (text: string) => text.replace('{file}', file)
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, named(value))
    onTestFinished(() => void vi.unstubAllEnvs())
    const ended = await runWith(script, flags.map(named), {
      ...process.env,
      GITHUB_ACTIONS: 'true',
    })
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(named(message)) })
  },
)

test('worlds of tests that the command runs are added up', async () => {
  const folder = mkdtempSync(join(writeFolder({}), 'evidence-'))
  vi.stubEnv('GREENHOUSE_EVIDENCE', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const withWorld = createWithWorld()
  await withWorld(async ({ api, world }) => {
    world.use('expired-key')
    await fetch(`${api.plantsUrl}/plants`, { headers: { authorization: 'Bearer key_pro' } })
  })()
  const files = readdirSync(folder)
  expect(files).toHaveLength(1)
  const copy = `require('node:fs').cpSync(${JSON.stringify(folder)}, process.env.GREENHOUSE_EVIDENCE, { recursive: true })`
  const { stderr } = await runWith(
    `${asks}; ${copy}; console.log(process.env.GREENHOUSE_EVIDENCE)`,
    ['--coverage'],
  )
  expect(stderr).toMatch(/^Error paths: \d\.\d % seen, 8 of/)
})

test('a command that serves for itself is added up, too', async () => {
  const inner = [
    'run',
    '--',
    process.execPath,
    '-e',
    "fetch(process.env.PLANTS_BASE_URL + '/plants')",
  ]
  const command = [
    process.execPath,
    fileURLToPath(new URL('../../dist/greenhouse.cjs', import.meta.url)),
    ...inner,
  ]
  const { stderr } = await run(['run', '--coverage', '--', ...command])
  expect(stderr).toMatch(/^Error paths: \d\.\d % seen, 2 of/)
})

test('the folder of the evidence is gone in the end', async () => {
  const { stdout } = await runWith('console.log(process.env.GREENHOUSE_EVIDENCE)', [
    '--report-card',
  ])
  expect(stdout).toMatch(/greenhouse-evidence-/)
  expect(existsSync(stdout.trim())).toBe(false)
})
