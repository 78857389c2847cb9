import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCase } from 'greenhouse-mock/node'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const json = (body: string) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body })
const plant = (id: number | string, name: string) => ({ ...json(`{"id":${id},"name":"${name}"}`), key: 'key_pro' })

test('serve --state resumes with its data and secrets, clock, scenarios and assumptions', async () => {
  const file = join(writeFolder({}), 'state.yaml')
  const first = await startServe(['--state', file, '--now', '2026-03-01T12:00:00Z', '--frozen'])
  expect((await first.call('/plants', plant('9007199254740995', 'Large'))).status).toBe(200)
  expect((await first.call('/plants', plant(900, 'Fern'))).status).toBe(200)
  await first.call('/plants/1', { method: 'DELETE', key: 'key_free' })
  const server = ['--server', first.ready.plants_url]
  await run(['clock', 'advance', '2h', ...server])
  await run(['scenario', 'use', 'slow:ms=1', ...server])
  const key = await first.call('/__greenhouse/worlds/default/keys', json('{"account":"acct_lite"}'))
  const { secret } = (await key.json()) as { secret: string }
  await first.stop()

  const second = await startServe(['--state', file])
  const world = (await (await second.call('/__greenhouse/worlds/default')).json()) as object
  expect(world).toMatchObject({ scenarios: ['slow'], clock: { now: '2026-03-01T14:00:00.000Z', frozen: true } })
  const listed = (await (await second.call('/__greenhouse/worlds/default/records/plants?limit=1000')).json()) as {
    data: { id: number; name: string }[]
  }
  expect(readFileSync(file, 'utf8')).toContain('id: 9007199254740995,')
  expect(listed.data.filter(({ id }) => id === 900 || id === 1).map(({ name }) => name)).toEqual(['Fern'])
  expect((await second.call('/v1/apps', { key: secret })).status).toBe(200)
  expect((await second.call('/plants', plant(900, 'Again'))).status).toBe(400)
  await second.stop()
})

test('the file is written after a change, in one step, and only its owner may read it', async () => {
  const folder = writeFolder({})
  const file = join(folder, 'state.yaml')
  const { call, stop } = await startServe(['--state', file])
  expect(existsSync(file)).toBe(true)
  const before = readFileSync(file, 'utf8')
  await call('/plants', plant(901, 'Moss'))
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('Moss')
  expect(before).not.toContain('Moss')
  expect(loadCase(file).start!.records!['plants']!.put).toMatchObject([{ id: 901, name: 'Moss' }])
  const { readdirSync, statSync } = await import('node:fs')
  expect(readdirSync(folder)).toEqual(['state.yaml', 'state.yaml.lock'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await stop()
})

test('a file that another process has changed is not overwritten', async () => {
  const file = join(writeFolder({}), 'state.yaml')
  const { call, stop, output } = await startServe(['--state', file])
  writeFileSync(file, 'case: 1\n')
  await call('/plants', plant(900, 'Fern'))
  expect((await stop()).code).toBe(1)
  expect(readFileSync(file, 'utf8')).toBe('case: 1\n')
  expect(output.stderr).toContain('another process has changed it since. It is in memory only;')
})

test.each([
  ['case: 7', 'case: expected 1: this version of Greenhouse reads no other'],
  ['case: 1\nsteps: [{ clear: true }]', 'has steps. Open it with --case.'],
  ['case: 1\nstart: { scenarios: [slwo] }', 'Did you mean "slow"'],
])('a file that is no state is refused: %j', async (text, message) => {
  const folder = writeFolder({})
  const file = join(folder, 'state.yaml')
  writeFileSync(file, text)
  const { code, stderr } = await run(['serve', '--state', file, '--port', '0'])
  expect([code! > 0, stderr]).toEqual([true, expect.stringContaining(message)])
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('a state is read again whatever the world held: records that refer to deleted ones', async () => {
  const file = join(writeFolder({}), 'state.yaml')
  const apps = '/__greenhouse/worlds/default/records/apps'
  const first = await startServe(['--state', file])
  expect((await first.call(apps, { ...json('[]'), method: 'PUT' })).status).toBe(200)
  await first.stop()
  const second = await startServe(['--state', file])
  expect(await (await second.call(apps)).json()).toMatchObject({ data: [] })
  await second.stop()
})
