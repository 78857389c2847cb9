import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const world = {
  'accounts.yaml':
    'accounts:\n  - { id: acct, name: A, email: a@example.com, plan: lite }\nkeys:\n  - { secret: key_own, account: acct }\n',
  'plants.yaml': 'plants:\n  - { id: 1, name: Own, account: acct }\n',
}

test('--fixtures serves the world of a folder instead of the default one', async () => {
  const { ready, call } = await startServe(['--fixtures', writeFolder(world)])
  expect(ready.keys).toEqual({ key_own: { plan: 'lite', account: 'acct' } })
  expect(await (await call('/plants', { key: 'key_own' })).json()).toEqual([{ name: 'Own' }])
  expect((await call('/plants')).status).toBe(401)
})

test('--scenarios adds the scenarios of a folder', async () => {
  const folder = writeFolder({
    'teapot.yaml':
      'title: Teapot\ndescription: D\ncovers: C\nrespond:\n  - { on: plants.*, status: 418, body: { stout: true } }\n',
  })
  const { ready, call } = await startServe(['--scenarios', folder, '--scenario', 'teapot'])
  expect(ready.scenarios).toEqual(['teapot'])
  expect((await call('/plants')).status).toBe(418)
  expect((await call('/v1/apps', { headers: { 'x-greenhouse-scenario': 'expired-key' } })).status).toBe(401)
})

test('--scenario switches scenarios on, with options', async () => {
  const { call } = await startServe([
    '--scenario',
    'malformed-plant:field=tag;kind=null',
    '--scenario',
    'rate-limited-plan:plan=free',
  ])
  expect((await (await call('/plants')).json())[0].tag).toBeNull()
  expect((await call('/v1/apps', { key: 'key_free' })).status).toBe(429)
  expect((await call('/v1/apps')).status).toBe(200)
})

test('--assume answers what the reference leaves open in another way', async () => {
  const { call } = await startServe(['--assume', 'plants.delete.unknown=204', '--assume', 'plants.rate-limits=on'])
  const { status, headers } = await call('/plants/5000', { method: 'DELETE' })
  expect(status).toBe(204)
  expect(headers.get('x-ratelimit-limit')).toBe('300')
})

test('--now starts the clock', async () => {
  const { call } = await startServe(['--now', '2031-05-06T07:00:00Z'])
  const { headers } = await call('/v1/apps')
  expect(new Date(1_000 * Number(headers.get('x-ratelimit-reset'))).toISOString()).toMatch(/^2031-05-06T07:/)
})

test('--seed decides what chance gives', async () => {
  const firstId = async (seed: string) =>
    (await (await startServe(['--seed', seed])).call('/v1/apps')).headers.get('x-request-id')
  const [one, again, other] = [await firstId('7'), await firstId('7'), await firstId('8')]
  expect(one).toBe(again)
  expect(one).not.toBe(other)
})

test('--cors lets the pages of an origin in, and of no other', async () => {
  const { call } = await startServe(['--cors', 'https://one.example', '--cors', 'https://two.example'])
  const allowed = async (origin: string) =>
    (await call('/plants', { headers: { origin } })).headers.get('access-control-allow-origin')
  expect(await allowed('https://one.example')).toBe('https://one.example')
  expect(await allowed('https://two.example')).toBe('https://two.example')
  expect(await allowed('https://three.example')).toBeNull()
})

test('--no-trace leaves the X-Greenhouse header out', async () => {
  expect((await (await startServe()).call('/plants')).headers.get('x-greenhouse')).toContain('world=default')
  expect((await (await startServe(['--no-trace'])).call('/plants')).headers.get('x-greenhouse')).toBeNull()
})

test('--body-limit is the longest body that is read', async () => {
  const { call } = await startServe(['--body-limit', '50'])
  const create = async (name: string) =>
    (await call('/plants', { method: 'POST', body: JSON.stringify({ id: 5000, name }) })).status
  expect(await create('x'.repeat(50))).toBe(413)
  expect(await create('Ficus')).toBe(200)
})

test('--host takes other names of this machine, and with --token any', async () => {
  expect((await startServe(['--host', '127.0.0.2'])).ready.plants_url).toMatch(/^http:\/\/127\.0\.0\.2:/)
  expect((await startServe(['--host', '0.0.0.0', '--token', 'secret'])).ready.plants_url).toMatch(
    /^http:\/\/0\.0\.0\.0:/,
  )
})

test('--journal-memory bounds the journals of all worlds together', async () => {
  const { ready, call } = await startServe(['--journal-memory', '20KiB'])
  for (let count = 0; count < 30; count++) await call(`/~world-${count}/v1/apps/none`)
  const { data } = (await (await fetch(`${ready.plants_url}/__greenhouse/worlds`)).json()) as {
    data: { name: string; journal: { size: number; evicted: number } }[]
  }
  const sizes = Array.from({ length: 30 }, (_, count) => data.find(({ name }) => name === `world-${count}`)!.journal)
  expect([sizes[0], sizes[29]]).toEqual([
    { size: 0, evicted: 1 },
    { size: 1, evicted: 0 },
  ])
})

test('--journal-memory takes a number of bytes, alone or with a unit', async () => {
  for (const value of ['', '-1', '1.5', 'many', '1 MiB MiB', '10TB', '99999999999999999'])
    expect(await run(['serve', '--journal-memory', value])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--journal-memory'),
    })
})
