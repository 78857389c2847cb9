import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { version } from '../../package.json'
import { nobody, run, startServe } from '../support/cli.ts'

test('status shows the server, and the clock, scenarios, journal and quotas of one world', async () => {
  const { ready, call, stop } = await startServe(['--now', '2026-03-01T12:00:30Z', '--frozen'])
  const at = ['--server', ready.plants_url]
  for (let count = 0; count < 3; count++) await call('/~checkout/v1/apps', { key: 'key_free' })
  await run(['scenario', 'use', 'slow:ms=5', 'expired-key:after=1h', '--world', 'checkout', ...at])
  await fetch(`${ready.plants_url}/__greenhouse/worlds/checkout/snapshots/before`, { method: 'PUT' })
  await fetch(`${ready.plants_url}/plants`, { headers: { origin: 'https://shop.example' } })
  const { code, stdout, stderr } = await run(['status', '--world', 'checkout', ...at])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.split('\n').slice(0, 10)).toEqual([
    `Server    ${ready.plants_url}, version ${version}`,
    `Panel     ${ready.panel_url}`,
    'Worlds    2: checkout, default',
    'No world  1 foreign_page',
    '',
    'World      checkout',
    'Clock      2026-03-01T12:00:30.000Z, frozen',
    expect.stringMatching(/^Scenarios {2}slow:\S*ms=5\S* expired-key:\S*after=1h\S*$/),
    'Journal    3 requests',
    'Snapshots  before',
  ])
  expect(stdout).toMatch(/^ACCOUNT +PLAN +MINUTE +DAY\n/m)
  expect(stdout).toMatch(/^acct_free +free +3 of 60 +3 of 1000$/m)
  expect(stdout).not.toMatch(/key_|fp_/)
  await stop()
})

test('status shows an inline scenario by its name', async () => {
  const { ready, stop } = await startServe()
  await fetch(`${ready.plants_url}/__greenhouse/worlds/default/scenarios`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ active: ['slow', { title: 'Apps are down', respond: [{ on: 'apps.*', status: 500 }] }] }),
  })
  const { stdout } = await run(['status', '--server', ready.plants_url])
  expect(stdout).toMatch(/^Scenarios {2}slow:\S* inline-apps-are-down$/m)
  const shown = await run(['status', '--json', '--server', ready.plants_url])
  expect(JSON.parse(shown.stdout).active[1]).toEqual({
    title: 'Apps are down',
    respond: [{ on: 'apps.*', status: 500 }],
  })
  await stop()
})

test('status --json has what the control API answers', async () => {
  const { ready, call, stop } = await startServe(['--now', '2026-03-01T12:00:30Z', '--frozen'])
  await call('/v1/apps')
  const { code, stdout } = await run(['status', '--json', '--server', ready.plants_url])
  const read = async (path: string) =>
    (await fetch(`${ready.plants_url}/__greenhouse/worlds${path}`)).json() as Promise<any>
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    server: ready.plants_url,
    version,
    panel_url: ready.panel_url,
    problems: [],
    worlds: (await read('')).data,
    unrecorded: {},
    world: await read('/default'),
    active: [],
    accounts: (await read('/default/accounts')).data,
  })
  await stop()
})

test('status of a world that is not there says so, and of no server how to start one', async () => {
  const { ready, stop } = await startServe()
  expect(await run(['status', '--world', 'defalt', '--server', ready.plants_url])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^There is no world "defalt"\..* Did you mean "default"\?\n$/),
  })
  await stop()
  expect(await run(['status', '--server', nobody])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Failed to reach a Greenhouse at .*greenhouse-mock serve/),
  })
})

test('status reports a server that is not Greenhouse, whatever it answers', async () => {
  const answers = [
    [404, '<h1>Not found</h1>'],
    [200, 'hello'],
    [500, '{"error":"no"}'],
    [500, 'null'],
  ] as const
  for (const [status, body] of answers) {
    const server = createServer((_, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
    expect(await run(['status', '--server', url])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`Failed to use the server at ${url}: it answered ${status}`),
    })
    server.closeAllConnections()
    server.close()
  }
})

test('with quotas per key, status shows the quota of each and the scenario that applies', async () => {
  const { ready, call, stop } = await startServe([
    '--assume',
    'rate-limit.scope=key',
    '--now',
    '2026-03-01T12:00:30Z',
    '--frozen',
  ])
  await call('/v1/apps', { key: 'key_readonly' })
  const at = ['--server', ready.plants_url]
  expect((await run(['status', ...at])).stdout).toMatch(/^acct_pro key_readonly +pro +1 of 300 +1 of 25000$/m)
  await run(['scenario', 'use', 'rate-limited-plan:plan=free', ...at])
  await call('/v1/apps', { key: 'key_free' })
  expect((await run(['status', ...at])).stdout).toMatch(/^acct_free key_free +free .*\(rate-limited-plan\)/m)
  await stop()
})
