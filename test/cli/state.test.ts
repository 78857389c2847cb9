import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { loadCase } from 'greenhouse-mock/node'
import { expect, test, onTestFinished } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { lacks, possible } from '../support/lacks.ts'
import { startServeProcess } from '../support/process.ts'
import { times } from '../support/soak.ts'
import { expectWrongUse, startWithCommands } from './server.ts'

const json = (body: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
})
const plant = (id: number | string, name: string) => ({
  ...json(`{"id":${id},"name":"${name}"}`),
  key: 'key_pro',
})

test('serve --state resumes with its data and secrets, clock, scenarios and assumptions', async () => {
  const file = join(writeFolder({}), 'state.yaml')
  const first = await startWithCommands(
    '--state',
    file,
    '--now',
    '2026-03-01T12:00:00Z',
    '--frozen',
  )
  expect((await first.call('/plants', plant('9007199254740995', 'Large'))).status).toBe(200)
  expect((await first.call('/plants', plant(900, 'Fern'))).status).toBe(200)
  await first.call('/plants/1', { method: 'DELETE', key: 'key_free' })
  await first.print('clock', 'advance', '2h')
  await first.print('scenario', 'use', 'slow:ms=1')
  const key = await first.call('/__greenhouse/worlds/default/keys', json('{"account":"acct_lite"}'))
  const { secret } = (await key.json()) as { secret: string }
  await first.stop()

  const second = await startWithCommands('--state', file)
  const clock = { now: '2026-03-01T14:00:00.000Z', frozen: true }
  expect(await second.read('/worlds/default')).toMatchObject({ scenarios: ['slow'], clock })
  const { data } = await second.read('/worlds/default/records/plants?limit=1000')
  expect(readFileSync(file, 'utf8')).toContain('id: 9007199254740995,')
  const ours = data.filter(({ id }: { id: number }) => id === 900 || id === 1)
  expect(ours).toEqual([expect.objectContaining({ name: 'Fern' })])
  expect((await second.call('/v1/apps', { key: secret })).status).toBe(200)
  expect((await second.call('/plants', plant(900, 'Again'))).status).toBe(400)
})

test('the file is written after a change, in one step, and only its owner may read it', async () => {
  const folder = writeFolder({})
  const file = join(folder, 'state.yaml')
  const { call } = await startServe(['--state', file])
  expect(existsSync(file)).toBe(true)
  const before = readFileSync(file, 'utf8')
  await call('/plants', plant(901, 'Moss'))
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('Moss')
  expect(before).not.toContain('Moss')
  expect(loadCase(file).start!.records!['plants']!.put).toMatchObject([{ id: 901, name: 'Moss' }])
  expect(readdirSync(folder)).toEqual(['state.yaml', 'state.yaml.lock'])
  if (!lacks.modes) expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a file that another process has changed is not overwritten', async () => {
  const file = join(writeFolder({}), 'state.yaml')
  const { call, stop, output } = await startServe(['--state', file])
  const touch = (...words: string[]) => spawnSync('touch', ['-r', ...words])
  if (!lacks.sh) touch(file, `${file}.before`)
  writeFileSync(file, 'case: 1\n')
  // A file system may have one time for all that happens within a hundredth of a second.
  if (!lacks.sh) touch(`${file}.before`, file)
  await call('/plants', plant(900, 'Fern'))
  expect((await stop()).code).toBe(1)
  expect(readFileSync(file, 'utf8')).toBe('case: 1\n')
  expect(output.stderr).toContain('another process has changed it since. It is in memory only;')
})

test.each([
  ['case: 7', 'case: expected 1: this version of Greenhouse reads no other'],
  ['case: 1\nsteps: [{ clear: true }]', 'has steps. Open it with --case.'],
  ['case: 1\nstart: { scenarios: [slwo] }', 'Did you mean "slow"'],
])('a file that is no state is rejected: %j', async (text, message) => {
  const file = join(writeFolder({ 'state.yaml': text }), 'state.yaml')
  const { code, stderr } = await run(['serve', '--state', file, '--port', '0'])
  expect([code! > 0, stderr]).toEqual([true, expect.stringContaining(message)])
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('a state that is cut short anywhere is refused, and stays as it is', async () => {
  const file = join(writeFolder({}), 'state.yaml')
  await (await startServe(['--state', file, '--scenario', 'slow:ms=1'])).stop()
  const whole = readFileSync(file, 'utf8')
  const ends = Array.from(whole.matchAll(/\n/g), ({ index }) => index)
    .slice(0, -1)
    .filter((_, line) => line % times(1, 4) === 0)
  for (const length of [0, 1, ...ends, whole.length - 5]) {
    writeFileSync(file, whole.slice(0, length))
    const { code, stderr } = await run(['serve', '--state', file, '--port', '0'])
    expect([length, code, stderr]).toEqual([
      length,
      2,
      expect.stringMatching(/cut short|begins with "case: 1"/),
    ])
    expect(readFileSync(file, 'utf8')).toBe(whole.slice(0, length))
  }
  writeFileSync(file, whole.trimEnd())
  expect(await (await startServe(['--state', file])).stop()).toMatchObject({ code: 0 })
})

/** What may stand where the state should be written when a server stops. */
const obstacles: Readonly<Record<string, (file: string, folder: string) => void>> = {
  'its folder is gone': (_, folder) => rmSync(folder, { recursive: true }),
  'its folder is a file': (_, folder) => (
    rmSync(folder, { recursive: true }),
    writeFileSync(folder, '')
  ),
  'it is a folder': (file) => (rmSync(file), mkdirSync(file)),
  'it is a link to nowhere': (file) => (rmSync(file), symlinkSync('none/state.yaml', file)),
  'it was changed by others': (file) => writeFileSync(file, 'case: 1\n'),
}

test.each(possible(Object.entries(obstacles)))(
  'a stop that cannot write the state exits with 1: %s',
  async (_, obstruct) => {
    const folder = join(writeFolder({}), 'own')
    mkdirSync(folder)
    const file = join(folder, 'state.yaml')
    const { stop, output } = await startServe(['--state', file])
    obstruct(file, folder)
    expect((await stop()).code).toBe(1)
    expect(output.stderr).toContain(`Failed to save the state in ${file}: `)
  },
)

test('a state says which flags it overrules, and how to start with them', async () => {
  const file = join(writeFolder({}), 'state.yaml')
  const first = await startServe(['--state', file, '--scenario', 'slow:ms=1'])
  await first.stop()
  expect(first.output.stderr).not.toContain('overrules')
  const second = await startServe([
    '--state',
    file,
    '--scenario',
    'empty-store',
    '--now',
    '2030-01-01T00:00:00Z',
  ])
  expect(second.output.stderr).toContain(
    `The state in ${file} overrules --scenario and --now. To start with what they say, remove the file.\n`,
  )
  await second.stop()
  const variables = { env: { ...process.env, GREENHOUSE_SEED: '7' } }
  const third = await startServe(['--state', file], variables)
  expect(third.output.stderr).toContain(`The state in ${file} overrules GREENHOUSE_SEED.`)
  await third.stop()
})

test('a stop writes a state that was deleted', async () => {
  const file = join(writeFolder({}), 'state.yaml')
  const { stop } = await startServe(['--state', file])
  rmSync(file)
  expect((await stop()).code).toBe(0)
  expect(loadCase(file).case).toBe(1)
})

test.skipIf(lacks.signals)('SIGHUP ends a server that keeps a state as SIGTERM does', async () => {
  const file = join(writeFolder({}), 'state.yaml')
  const { call, stop } = await startServeProcess(['--state', file])
  await call('/plants', plant(900, 'Fern'))
  expect(await stop('SIGHUP')).toMatchObject({ code: 0, signal: null })
  expect(plantsIn(file)).toEqual([900])
  expect(existsSync(`${file}.lock`)).toBe(false)
})

test('a state is read again whatever the world held: records that refer to deleted ones', async () => {
  const file = join(writeFolder({}), 'state.yaml')
  const apps = '/__greenhouse/worlds/default/records/apps'
  const first = await startServe(['--state', file])
  expect((await first.call(apps, { ...json('[]'), method: 'PUT' })).status).toBe(200)
  await first.stop()
  const second = await startServe(['--state', file])
  expect(await (await second.call(apps)).json()).toMatchObject({ data: [] })
})

/**
 * Makes a folder with the state a.yaml, and runs a script in it. Skips the test where no disk can
 * be mounted.
 */
function makeFolder(script: string, skip: () => void): string {
  const folder = writeFolder({ 'a.yaml': 'case: 1\n' })
  const sh = (words: string) => spawnSync('sh', ['-c', words], { cwd: folder }).status
  onTestFinished(() => void sh('umount -l "$PWD/a.yaml"; umount -l "$PWD"'))
  if (sh(script) !== 0) skip()
  return folder
}

const disk = 'mount -t tmpfs -o size=64k tmpfs "$PWD" && cd "$PWD" && echo case: 1 > a.yaml'
const leftOver =
  'echo 4194305 1 there > a.yaml.lock; touch a.yaml.b36a7ac5-6d9a-4c32-8a2d-0e1f59b0cbd4.tmp'
const fill = 'head -c 1M /dev/zero > filler'
const add = (id: number) => ({
  method: 'POST',
  body: JSON.stringify({ id, name: 'Fern'.repeat(20) }),
})

/** The ids of the plants in a state that are not those of the default fixtures. */
function plantsIn(file: string): number[] {
  const { put = [], replace = put } = loadCase(file).start?.records?.['plants'] ?? {}
  return replace.map(({ id }) => Number(id)).filter((id) => id >= 900 && id < 10_000)
}

test.skipIf(process.platform !== 'linux').for([
  ['a folder', '.', 'it is not a file', ''],
  ['a device', '/dev/full', 'it is not a file', ''],
  ['a FIFO', 'fifo', 'it is not a file', 'mkfifo fifo'],
  ['a file in a missing folder', 'none/a.yaml', 'no such file or directory', ''],
  ['a link into a missing folder', 'link', 'no such file or directory', 'ln -s none/a.yaml link'],
  ['a link to itself', 'link', 'too many symbolic links', 'ln -s link link'],
  [
    'a file in a read-only folder',
    'b.yaml',
    'read-only file system',
    `${disk} && mount -o remount,ro "$PWD"`,
  ],
  ['a read-only file', 'a.yaml', 'read-only file system', 'mount -o bind,ro a.yaml a.yaml'],
  ['a file on a full disk', 'b.yaml', 'no space left on device', `${disk} && ! ${fill}`],
] as const)('a state is rejected at the start: %s', async ([_, name, reason, script], { skip }) => {
  const folder = makeFolder(script, skip)
  const before = readdirSync(folder)
  const file = name.startsWith('/') ? name : join(folder, name)
  await expectWrongUse(
    ['serve', '--state', file, '--port', '0'],
    `save the state in ${file}: ${reason}`,
  )
  expect(readdirSync(folder)).toEqual(before)
})

test.skipIf(process.platform !== 'linux').for([
  ['a link', 'link', 'a.yaml', 'ln -s a.yaml link'],
  ['a link to a file that is not there yet', 'link', 'b.yaml', 'ln -s b.yaml link'],
  ['a mounted file', 'a.yaml', 'a.yaml', 'mount --bind a.yaml a.yaml'],
  ['a file with what a killed process left', 'a.yaml', 'a.yaml', leftOver],
] as const)('a state is kept in %s', async ([_, name, target, script], { skip }) => {
  const folder = makeFolder(script, skip)
  const isLink = lstatSync(join(folder, name)).isSymbolicLink()
  for (const id of [900, 901]) {
    const { call, stop } = await startServe(['--state', join(folder, name)])
    expect((await call('/plants', add(id))).status).toBe(200)
    expect(await stop()).toMatchObject({ code: 0, stderr: '' })
  }
  expect(plantsIn(join(folder, target))).toEqual([900, 901])
  expect(lstatSync(join(folder, name)).isSymbolicLink()).toBe(isLink)
  expect(readdirSync(folder).filter((one) => /lock|tmp/.test(one))).toEqual([])
})

test.skipIf(process.platform !== 'linux').for([
  ['a file', disk],
  ['a mounted file', `${disk} && mount --bind a.yaml a.yaml`],
])(
  'a write that fails is reported, tried again, and leaves the state whole: %s',
  async ([_, script], { skip }) => {
    const folder = makeFolder(script!, skip)
    const file = join(folder, 'a.yaml')
    const { call, stop, output, print, untilPrinted } = await startWithCommands('--state', file)
    const fillAndAdd = async (first: number) => {
      spawnSync('sh', ['-c', fill], { cwd: folder })
      for (let id = first; id < first + 20; id++)
        expect((await call('/plants', add(id))).status).toBe(200)
    }
    await fillAndAdd(900)
    const reason = 'no space left on device. It is in memory only; Greenhouse tries again.\n'
    await untilPrinted(/again/, 'stderr')
    expect(output.stderr).toBe(`Failed to save the state in ${file}: ${reason}`)
    expect(await print('status')).toContain(
      `\nProblem  ${file}: Failed to save the state: ${reason}`,
    )
    expect(plantsIn(file)).toEqual([])
    rmSync(join(folder, 'filler'))
    await untilPrinted(/Saved the state in .* again\.\n/, 'stderr')
    expect(await print('status')).not.toContain('Problem')
    expect(plantsIn(file)).toHaveLength(20)
    await fillAndAdd(1000)
    expect(await stop()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Saved.*\nFailed.*again\.\n$/s),
    })
    expect(plantsIn(file)).toHaveLength(20)
  },
)

test('two servers do not keep their state in one file; a killed one does not hold it', async () => {
  const file = join(writeFolder({}), 'state.yaml')
  const first = await startServeProcess(['--state', file])
  const message = `Failed to save the state in ${file}: process ${first.child.pid} uses it.`
  await expectWrongUse(['serve', '--state', file, '--port', '0'], message)
  await first.stop('SIGKILL')
  expect(await (await startServe(['--state', file])).stop()).toMatchObject({ code: 0 })
})
