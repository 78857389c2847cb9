import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { parseLines, startWithCommands } from './server.ts'

test('--fixtures serves the world of a folder instead of the default one', async () => {
  const folder = writeFolder({
    'accounts.yaml': 'accounts:\n  - { id: acct, name: A, email: a@example.com, plan: lite }\n',
    'keys.yaml': 'keys:\n  - { secret: key_own, account: acct }\n',
    'plants.yaml': 'plants:\n  - { id: 1, name: Own, account: acct }\n',
  })
  const { ready, call } = await startServe(['--fixtures', folder])
  expect(ready.keys).toEqual({ key_own: { plan: 'lite', account: 'acct' } })
  expect(await (await call('/plants', { key: 'key_own' })).json()).toEqual([{ name: 'Own' }])
  expect((await call('/plants')).status).toBe(401)
})

/** A request to a server with these flags, and what is answered. */
const answered: [
  flags: string[],
  path: string,
  init: RequestInit,
  status: number,
  header?: [string, string | null],
][] = [
  [
    ['--scenario', 'malformed-plant:field=tag;kind=null', '--scenario', 'forbidden:on=apps.*'],
    '/v1/apps',
    {},
    403,
  ],
  [['--assume', 'plants.delete.unknown=204'], '/plants/5000', { method: 'DELETE' }, 204],
  [
    ['--assume', 'http.head=404', '--assume', 'plants.rate-limits=on'],
    '/plants',
    {},
    200,
    ['x-ratelimit-limit', '300'],
  ],
  [
    ['--now', '2031-05-06T07:00:00Z', '--frozen'],
    '/v1/apps',
    {},
    200,
    ['x-ratelimit-reset', '1935817260'],
  ],
  [
    ['--body-limit', '50'],
    '/plants',
    { method: 'POST', body: '{"id":5000,"name":"Ficus is longer than it may be"}' },
    413,
  ],
  [['--body-limit', '50'], '/plants', { method: 'POST', body: '{"id":5000,"name":"Ficus"}' }, 200],
  [[], '/plants', {}, 200, ['x-greenhouse', 'world=default; operation=plants.list']],
  [['--no-trace'], '/plants', {}, 200, ['x-greenhouse', null]],
]

test.each(answered)(
  'serve %j gives %s %j a %d %j',
  async (flags, path, init, status, [name, value] = ['x', null]) => {
    const { call } = await startServe(flags)
    const reply = await call(path, init)
    expect([reply.status, reply.headers.get(name)]).toEqual([status, value])
  },
)

const teapot = (status: number) =>
  `title: Teapot\ndescription: D\ncovers: C\nrespond: [{ on: plants.*, status: ${status}, body: { stout: true } }]\n`

test('--scenarios adds the scenarios of a folder; with --watch a saved one changes at once', async () => {
  const folder = writeFolder({ 'teapot.yaml': teapot(418) })
  const { ready, call, stop } = await startServe([
    '--scenarios',
    folder,
    '--scenario',
    'teapot',
    '--watch',
  ])
  expect(ready.scenarios).toEqual(['teapot'])
  const status = async () => (await call('/plants')).status
  expect(await status()).toBe(418)
  expect(
    (await call('/v1/apps', { headers: { 'x-greenhouse-scenario': 'expired-key' } })).status,
  ).toBe(401)
  writeFileSync(join(folder, 'teapot.yaml'), teapot(410))
  await expect.poll(status).toBe(410)
  const lines = parseLines((await stop()).stdout).filter(({ event }) => event === 'request')
  const verdict = { scenario: 'teapot', effect: 'respond.0' }
  expect(lines[0]).toMatchObject({ scenarios: ['teapot'], verdicts: [{ ...verdict, fired: true }] })
  expect(lines[1].verdicts[0]).toEqual({
    ...verdict,
    fired: false,
    why: 'it acts on other operations',
  })
})

test('--frozen lets the clock of every world stand still from the start', async () => {
  const { call, read } = await startWithCommands('--frozen', '--now', '2026-03-01T12:00:30Z')
  for (const world of ['default', 'checkout']) {
    await call(`/~${world}/plants`)
    expect(await read(`/worlds/${world}/clock`)).toEqual({
      now: '2026-03-01T12:00:30.000Z',
      frozen: true,
    })
  }
  const script = `fetch(process.env.GREENHOUSE_URL + '/__greenhouse/worlds/default/clock')
    .then((reply) => reply.json()).then(({ frozen }) => console.log(frozen))`
  expect((await run(['run', '--frozen', '--', process.execPath, '-e', script])).stdout).toBe(
    'true\n',
  )
  expect((await run(['run', '--', process.execPath, '-e', script])).stdout).toBe('false\n')
})

test('--seed decides what chance gives', async () => {
  const firstId = async (seed: string) =>
    (await (await startServe(['--seed', seed])).call('/v1/apps')).headers.get('x-request-id')
  const [one, again, other] = [await firstId('7'), await firstId('7'), await firstId('8')]
  expect(one).toBe(again)
  expect(one).not.toBe(other)
})

test.each([
  ['--cors', '/plants'],
  ['--control-origin', '/__greenhouse/health'],
])('%s is repeatable, and lets the pages of those origins use %s', async (flag, path) => {
  const origins = ['http://one.example:5173', 'https://two.example']
  const { call } = await startServe(origins.flatMap((origin) => [flag, origin]))
  for (const origin of [...origins, 'https://three.example']) {
    const reply = await call(path, { headers: { origin } })
    const isAllowed = origins.includes(origin)
    expect([reply.status, reply.headers.get('access-control-allow-origin')], origin).toEqual(
      isAllowed ? [200, origin] : [403, null],
    )
    if (!isAllowed) expect(await reply.text()).toContain(`${flag} https://three.example`)
  }
})

/** Asks as a browser or a container would that reaches the server by another name. */
function askAs(host: string, url: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { headers: { host, authorization: 'Bearer key_pro' }, agent: false }
    const asked = request(`${url}/plants`, options, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode!, text })
    })
    asked.on('error', reject).end()
  })
}

test('--allow-host lets a name in, and may come more than once', async () => {
  const { ready } = await startServe(['--allow-host', 'greenhouse', '--allow-host', '.example.com'])
  for (const host of ['greenhouse', 'greenhouse:4010', 'a.example.com', 'localhost'])
    expect((await askAs(host, ready.plants_url)).status, host).toBe(200)
  const other = await askAs('attacker.example', ready.plants_url)
  expect([other.status, JSON.parse(other.text)]).toEqual([
    403,
    { error: 403, message: expect.stringContaining('--allow-host attacker.example') },
  ])
})

test('--host takes other names of this machine, and with --token any', async () => {
  expect((await startServe(['--host', '127.0.0.2'])).ready.plants_url).toMatch(
    /^http:\/\/127\.0\.0\.2:/,
  )
  const { ready } = await startServe(['--host', '0.0.0.0', '--token', 'secret'])
  expect(ready.plants_url).toMatch(/^http:\/\/0\.0\.0\.0:/)
  expect(ready.panel_url).toBe(`http://127.0.0.1:${new URL(ready.plants_url).port}/__greenhouse/`)
})

test('--memory limits the data and the journals of all worlds together', async () => {
  const { call, read, command } = await startWithCommands('--memory', '64KiB')
  for (let count = 0; count < 6; count++)
    await call(`/~world-${count}/v1/apps/${'none'.repeat(700)}`)
  const { data } = await read('/worlds')
  const journalOf = (world: string) =>
    data.find(({ name }: { name: string }) => name === world).journal
  expect([journalOf('world-0'), journalOf('world-5')]).toEqual([
    { size: 0, evicted: 1 },
    { size: 1, evicted: 0 },
  ])
  expect(await command('log', '--all-worlds')).toMatchObject({
    stdout: expect.stringContaining('/~world-5/'),
    stderr: expect.stringContaining(
      'The journal of the world "world-0" dropped 1 older request to make room',
    ),
  })
  expect((await command('log', '--world', 'world-0')).stderr).toContain(
    'it dropped matching entries to make room',
  )
})
