import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fitColumns, toTable } from '../../src/output/table.ts'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { isWindows, lacks } from '../support/lacks.ts'
import { hostile, unsafe, startWithCommands } from './server.ts'

const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length))

test('help is as wide as the terminal, and no wider than 80 columns', async () => {
  const narrow = await run(['flip', '--help'], { isTTY: true, columns: 60 })
  expect(narrow.code).toBe(0)
  expect(widest(narrow.stdout)).toBeLessThanOrEqual(60)
  const wide = await run(['flip', '--help'], { isTTY: true, columns: 200 })
  expect(widest(wide.stdout)).toBeLessThanOrEqual(80)
  expect(wide.stdout).toBe((await run(['flip', '--help'])).stdout)
})

const narrow = { isTTY: true, columns: 80, env: { ...process.env, FORCE_COLOR: '0' } }

for (const line of ['scenario list', 'scenario show malformed-plant', 'assumptions'])
  test(`${line} fits into a terminal of 80 columns, and nothing is left out`, async () => {
    const wide = await run(line.split(' '))
    const { code, stdout } = await run(line.split(' '), narrow)
    expect(code).toBe(0)
    expect(widest(wide.stdout)).toBeGreaterThan(80)
    expect(widest(stdout)).toBeLessThanOrEqual(80)
    expect(stdout.split(/\s+/).sort()).toEqual(wide.stdout.split(/\s+/).sort())
  })

test('log puts what has no room into the next line', async () => {
  const { url, call, create, print } = await startWithCommands()
  await call('/plants')
  await create('/plants', { id: 'x', name: 5 })
  const { stdout } = await run(['log', '--server', url], narrow)
  const [sound, wrong, ...below] = stdout.trimEnd().split('\n')
  expect(sound).toMatch(/ \/plants +plants\.list$/)
  expect(wrong).toMatch(/ \/plants +plants\.create$/)
  expect(below).toEqual([
    '         violation=invalid-body name must be a string. id must be an integer of',
    '         64 bits.',
  ])
  expect((await print('log')).trimEnd().split('\n')).toHaveLength(2)
  const env = { ...process.env, FORCE_COLOR: '1' }
  expect((await run(['log', '--server', url], { isTTY: true, env })).stdout).toContain('\x1b[32m')
})

test('a command leaves console output as it was', async () => {
  const { error, warn } = console
  const servers = await Promise.all([startServe(), startServe()])
  expect(console.error).not.toBe(error)
  for (const { stop } of servers) await stop()
  expect([console.error, console.warn]).toEqual([error, warn])
})

/** Without line ends, which titles cannot have. */
const line = hostile.replace(/[\r\u2028]/g, '')
const asYaml = JSON.stringify(line)

async function printSafely(...words: string[]): Promise<string> {
  const { stdout, stderr } = await run(words)
  expect(stdout + stderr, words.join(' ')).not.toMatch(unsafe)
  return stdout + stderr
}

test.skipIf(lacks.oddNames)(
  'texts of files and their names are shown with visible escapes',
  async () => {
    const scenario = `title: ${asYaml}\ndescription: ${asYaml}\ncovers: ${asYaml}\nassume: { plants.delete.unknown: 204 }\n`
    const folder = writeFolder({
      'scenarios/own.yaml': scenario,
      [`bro\nken/${line}.yaml`]: `title: ${asYaml}\n${asYaml}: 1\nassume: { ${asYaml}: 1 }\n`,
      [`fixtures/${line}.yaml`]: `plants: [{ id: 1, name: a, account: ${asYaml} }]\n${asYaml}: []\n`,
    })
    const scenarios = ['--scenarios', join(folder, 'scenarios')]
    expect(await printSafely('scenario', 'list', ...scenarios)).toContain(
      '\\x1b[2J\\x1b]0;title\\x07\\x9b31m\\u202e',
    )
    expect(await printSafely('scenario', 'show', 'own', ...scenarios)).toContain('\\x1b[2J')
    const problems = await printSafely('check', join(folder, 'bro\nken'), join(folder, 'fixtures'))
    expect(problems).toContain('\\x1b[2J')
    for (const problem of problems.trimEnd().split('\n')) expect(problem).toMatch(/:\d+:\d+: /)
    expect(await printSafely('serve', '--fixtures', join(folder, 'fixtures'))).toContain(
      'Failed to load the fixtures',
    )
    await printSafely('serve', '--scenarios', join(folder, 'bro\nken'))
  },
)

test.each([
  [[hostile]],
  [['serve', '--scenario', hostile]],
  [['serve', '--fixtures', hostile]],
  [['scenario', 'show', hostile]],
  [['scenario', 'use', 'slow', '--world', hostile]],
  // The shell of Windows names what it does not find by itself.
  ...(isWindows ? [] : [[['run', '--', line]]]),
])('the words of a command are shown with visible escapes: %j', async (words) => {
  expect(await printSafely(...words)).toMatch(/\\(x|u00)1b\[2J/)
})

test('control characters of records reach no terminal, and are whole in JSON', async () => {
  const { call, command, create, print, printJson } = await startWithCommands()
  expect((await create('/plants', { id: 5000, name: `a${hostile}\nb` })).status).toBe(200)
  await call('/plants/%1b%5B2J?name=%E2%80%AE')
  const words = [
    'records list plants',
    'records read plants 5000',
    'records list plants --json',
    'log',
    'log --json',
    'log --all-worlds',
  ]
  for (const line of [
    ...words.map((one) => one.split(' ')),
    ['records', 'list', 'plants', '--where.name', hostile],
  ]) {
    const { stdout, stderr } = await command(...line)
    expect(stdout + stderr, line.join(' ')).not.toMatch(unsafe)
  }
  expect(await print('records', 'read', 'plants', '5000')).toContain('a\\x1b[2J\\x1b]0;title')
  expect((await printJson('records', 'read', 'plants', '5000')).name).toBe(`a${hostile}\nb`)
})

test.each([
  [
    'ID,NAME,TAG|1,Fern,|9007199254740993,,tree',
    'ID                NAME  TAG\n1                 Fern\n9007199254740993        tree',
  ],
  ['a\nb,\u001b[2J|c,\u202e', 'a\\nb  \\x1b[2J\nc     \\u202e'],
])('columns are as wide as what they hold, and no line ends with spaces: %j', (rows, table) => {
  expect(toTable(rows.split('|').map((row) => row.split(',')))).toBe(`${table}\n`)
})

test('a line shows as many columns from the left as fit, and at least one', () => {
  const cells = [
    ['ID', 'NAME', 'TAG'],
    ['1', 'Fern', 'tree'],
  ]
  for (const [width, shown] of [
    [14, 3],
    [13, 2],
    [1, 1],
    [undefined, 3],
  ] as const)
    expect(fitColumns(cells, width)).toEqual({
      cells: cells.map((row) => row.slice(0, shown)),
      left: 3 - shown,
    })
})

test('a list may have any number of rows', () => {
  expect(toTable(Array.from({ length: 200_000 }, () => ['a', 'b'])).length).toBe(
    200_000 * 'a  b\n'.length,
  )
})

test('commands print through one file, except bytes of the log and of a child', () => {
  const writers = readdirSync('src/cli', { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') &&
      /\b(stdout|stderr|stream)\.write\((?!'')/.test(readFileSync(join('src/cli', name), 'utf8')),
  )
  expect(writers.sort()).toEqual(
    ['output/request-log.ts', 'process/run-command.ts', 'terminal.ts'].map((name) => join(name)),
  )
})
