import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGreenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { toCaseText } from 'greenhouse-mock/parts'
import { loadFixtures } from 'greenhouse-mock/node'
import { serve } from 'greenhouse-mock/server'
import { type Ready, run, start as startInside, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { firstLine, startCommand } from '../support/process.ts'
import { start } from '../support/test-api.ts'
import { inFrontOf } from './in-front.ts'

const fixtures = {
  plans: [{ id: 'pro', minute: 40 }],
  accounts: [
    { id: 'acct_one', name: 'One', email: 'one@example.com', plan: 'pro' },
    { id: 'acct_two', name: 'Two', email: 'two@example.com', plan: 'free' },
  ],
  keys: [
    { secret: 'key_one', account: 'acct_one' },
    { secret: 'sk_live_4f9Abcdefghijklmnop', account: 'acct_two' },
    { secret: 'key_readonly', account: 'acct_one', scopes: ['plants:read', 'apps:read'] },
  ],
  plants: [
    { id: 7, name: 'Fern', tag: 'shade', account: 'acct_one' },
    { id: 9, name: 'Moss', account: 'acct_one' },
    { id: 11, name: 'Ivy', tag: 'climber', account: 'acct_one' },
    { id: 12, name: 'Oak', account: 'acct_two' },
  ],
  apps: [
    { id: 'app_aaaaaaaaaaaaaaaa', account: 'acct_one', name: 'first', created_at: '2026-01-01T00:00:00.000Z' },
    {
      id: 'app_bbbbbbbbbbbbbbbb',
      account: 'acct_one',
      name: 'second',
      model: 'm',
      created_at: '2026-01-02T00:00:00.000Z',
    },
  ],
  users: [
    {
      id: 'user_aaaaaaaaaaaaaaaa',
      account: 'acct_one',
      app: 'app_aaaaaaaaaaaaaaaa',
      email: 'u@example.com',
      name: 'U',
      created_at: '2026-01-03T00:00:00.000Z',
    },
  ],
  conversations: [
    {
      id: 'conv_aaaaaaaaaaaaaaaa',
      account: 'acct_one',
      app: 'app_aaaaaaaaaaaaaaaa',
      user: 'user_aaaaaaaaaaaaaaaa',
      platform: 'web',
      created_at: '2026-01-04T00:00:00.000Z',
    },
  ],
  messages: [
    {
      id: 'msg_aaaaaaaaaaaaaaaa',
      account: 'acct_one',
      conversation: 'conv_aaaaaaaaaaaaaaaa',
      role: 'user',
      content: 'Hello',
      created_at: '2026-01-04T00:00:01.000Z',
    },
  ],
  webhooks: [
    {
      id: 'wh_aaaaaaaaaaaaaaaa',
      account: 'acct_one',
      app: null,
      url: 'http://127.0.0.1:9/hook',
      events: ['app.deleted'],
      enabled: true,
      secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0',
      created_at: '2026-01-05T00:00:00.000Z',
    },
  ],
  deliveries: [
    {
      id: 'del_aaaaaaaaaaaaaaaa',
      account: 'acct_one',
      webhook: 'wh_aaaaaaaaaaaaaaaa',
      event: 'evt_aaaaaaaaaaaaaaaa',
      type: 'app.created',
      status: 'failed',
      data: { app_id: 'app_aaaaaaaaaaaaaaaa' },
      attempts: [{ at: '2026-01-06T00:00:00.000Z', status: 500, latency: 12, response: 'no' }],
      created_at: '2026-01-06T00:00:00.000Z',
    },
  ],
  deployments: [
    {
      id: 'dep_aaaaaaaaaaaaaaaa',
      account: 'acct_one',
      app: 'app_aaaaaaaaaaaaaaaa',
      domain: 'shop.example.com',
      state: 'failed',
      failure: 'dns_mismatch',
      token: 'tokentokentoken1',
      branding: { name: 'Shop' },
      created_at: '2026-01-07T00:00:00.000Z',
    },
  ],
  subscriptions: [{ account: 'acct_one', period_start: '2026-01-20T00:00:00.000Z', status: 'canceling' }],
  credits: [{ account: 'acct_one', purchased: 500, spent: 20 }],
  purchases: [
    {
      id: 'pur_aaaaaaaaaaaaaaaa',
      account: 'acct_one',
      amount: 500,
      payment_method: 'pm_ok',
      status: 'succeeded',
      created_at: '2026-01-08T00:00:00.000Z',
    },
  ],
}

const assumptions = {
  'plants.body.includes-id': 'yes',
  'plants.delete.status': '200',
  'plants.error-code': 'numbered',
  'apps.list.shape': 'array',
  'apps.create.status': '200',
  'rate-limit.reset-unit': 'iso-8601',
  'plants.delete.unknown': '400',
  'apps.delete.status': '200',
  'rate-limit.retry-after': 'absent',
  'payments.settle': 'instant',
} as const

type Asked = [method: string, path: string, body?: object, key?: string]

/** A day of a client. Ids in braces are those of the last creation. */
const day: Asked[] = [
  ['GET', '/v1/account'],
  ['GET', '/plants'],
  ['GET', '/plants?limit=2'],
  ['POST', '/plants', { id: 50, name: 'Rose', tag: 'thorns' }],
  ['GET', '/plants'],
  ['DELETE', '/plants/9'],
  ['DELETE', '/plants/9'],
  ['DELETE', '/plants/x'],
  ['GET', '/plants'],
  ['POST', '/plants', { id: 50, name: 'Rose' }],
  ['GET', '/v1/apps'],
  ['GET', '/v1/apps/app_aaaaaaaaaaaaaaaa'],
  ['GET', '/v1/apps/app_aaaaaaaaaaaaaaaa/users'],
  ['GET', '/v1/plans'],
  ['GET', '/v1/apps/app_aaaaaaaaaaaaaaaa/conversations'],
  ['GET', '/v1/apps/app_aaaaaaaaaaaaaaaa/conversations/conv_aaaaaaaaaaaaaaaa/messages'],
  ['GET', '/v1/webhooks'],
  ['GET', '/v1/webhooks/wh_aaaaaaaaaaaaaaaa/deliveries'],
  ['GET', '/v1/apps/app_aaaaaaaaaaaaaaaa/deployments/dep_aaaaaaaaaaaaaaaa'],
  ['GET', '/v1/subscription'],
  ['GET', '/v1/credits'],
  ['GET', '/v1/credits/purchases'],
  ['POST', '/v1/credits/purchases', { amount: 7, payment_method: 'pm_ok' }],
  ['GET', '/v1/credits'],
  ['POST', '/v1/apps', { name: 'third' }],
  ['GET', '/v1/apps'],
  ['DELETE', '/v1/apps/{id}'],
  ['GET', '/v1/apps/{id}'],
  ['GET', '/v1/apps', undefined, ''],
  ['GET', '/plants', undefined, 'key_readonly'],
  ['POST', '/plants', { id: 60, name: 'Elm' }, 'key_readonly'],
  ['GET', '/plants', undefined, 'TWO'],
  ['GET', '/v1/account', undefined, 'TWO'],
  ...Array.from({ length: 32 }, (): Asked => ['GET', '/v1/apps']),
]

/** Lives the day, and gives what came of it, without what is random. */
async function live(url: string, two: string, asked = day) {
  const replies: unknown[] = []
  let id = ''
  for (const [method, path, body, key = 'key_one'] of asked) {
    const authorization = key === '' ? undefined : `Bearer ${key === 'TWO' ? two : key}`
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
    const response = await fetch(url + path.replace('{id}', id), {
      method,
      headers,
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    if (path === '/v1/apps' && method === 'POST') id = /app_[a-z0-9]{16}/.exec(text)?.[0] ?? id
    const shown = text
      .replaceAll(id || 'none', '{id}')
      .replaceAll(/(req|fp|pur)_(?!aaaa)\w+|tokentokentoken1/g, 'random')
    const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'content-type', 'retry-after']
    replies.push([method, path, response.status, shown, names.map((name) => response.headers.get(name))])
  }
  return replies
}

const own = { now: start, frozen: true, trace: false } satisfies GreenhouseOptions

test('what was learnt from a service answers the same requests the same way', async () => {
  await using real = await serve(createGreenhouse({ ...own, fixtures: fixtures as never, assumptions }))
  const folder = join(writeFolder({}), 'learnt')
  const front = await serve(
    createGreenhouse({ ...own, proxy: { plants: real.url, apps: `${real.url}/v1`, record: folder } }),
  )
  const recorded = await live(front.url, 'sk_live_4f9Abcdefghijklmnop')
  expect(existsSync(folder)).toBe(false)
  await front.close()

  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as object
  const learnt = JSON.parse(readFileSync(join(folder, 'assumptions.yaml'), 'utf8')) as GreenhouseOptions['assumptions']
  expect(learnt).toMatchObject(assumptions)
  expect(report).toMatchObject({ requests: day.length, differences: [] })
  await using mock = await serve(
    createGreenhouse({ ...own, fixtures: loadFixtures(join(folder, 'fixtures')), assumptions: learnt }),
  )
  const { keys } = JSON.parse(readFileSync(join(folder, 'fixtures/keys.json'), 'utf8')) as {
    keys: typeof fixtures.keys
  }
  const two = keys.find(({ account }) => account === 'acct_two')!.secret
  expect(await live(mock.url, two)).toEqual(recorded)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/\./.test(name)) expect(readFileSync(join(folder, name), 'utf8')).not.toContain('sk_live')
})

test('by the commands, recorded traffic replays against what was learnt without a difference', async () => {
  await using real = await serve(createGreenhouse({ ...own, fixtures: fixtures as never, assumptions }))
  const folder = join(writeFolder({}), 'learnt')
  const greenhouse = createGreenhouse({ ...own, proxy: { plants: real.url, apps: `${real.url}/v1`, record: folder } })
  const front = await serve(greenhouse)
  // Without what shows a fingerprint of a secret, which differs from the secret.
  const ofOne = day.filter(([, path, , key]) => key === undefined && !/[{]|account|dep_/.test(path))
  await live(front.url, '', ofOne)
  const file = join(writeFolder({ 'day.case.yaml': toCaseText(greenhouse.world().toCase('A day')) }), 'day.case.yaml')
  await front.close()
  const learnt = ['--fixtures', join(folder, 'fixtures'), '--assume-file', join(folder, 'assumptions.yaml')]
  const { ready } = await startServe([...learnt, '--now', start, '--frozen'])
  const against = ['--against', ready.plants_url, '--key', 'key_one', '--allow-writes', '--json']
  const { code, stdout } = await run(['case', 'replay', file, ...against])
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ differences: [] })])
})

test('a proxy that is killed leaves no folder', async () => {
  await using real = await serve(createGreenhouse())
  const parent = writeFolder({})
  const words = [
    'proxy',
    '--target-plants',
    real.url,
    '--port',
    '0',
    '--log',
    'json',
    '--record',
    join(parent, 'learnt'),
  ]
  const { child, output, ended } = startCommand(words)
  const { plants_url } = JSON.parse(await firstLine(child, output, ended)) as Ready
  await fetch(`${plants_url}/plants`, { headers: { authorization: 'Bearer key_pro' } })
  child.kill('SIGKILL')
  await ended
  expect(readdirSync(parent)).toEqual([])
})

test('replies of any shape are learnt from, or left out', async () => {
  const folder = join(writeFolder({}), 'learnt')
  const strange = '[null, 5, { "id": {} }, { "id": "x", "attempts": 1, "verify_before": "soon", "created_at": [] }]'
  const { send, server } = await inFrontOf((_, response) => response.end(strange), { record: folder })
  for (const [, path] of day) await send(path)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    for (const path of ['/plants', '/plants/x', '/v1/apps', '/v1/apps/x', '/v1/subscription'])
      await send(path, { method, body: method === 'PUT' ? '' : 'no JSON' })
  await send('/plants')
  await server.close()
  const { not_learnt, failed } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Record<
    string,
    unknown
  >
  expect([not_learnt, failed]).toEqual([expect.arrayContaining(['apps x: name']), undefined])
  createGreenhouse({ fixtures: loadFixtures(join(folder, 'fixtures')) })
    .world()
    .records.plants.all()
})

test.each(['__proto__', 'Team & co'])(
  'a plan %s, which no fixture can name, becomes one with its limits',
  async (plan) => {
    const folder = join(writeFolder({}), 'learnt')
    const reset = String(Math.ceil(Date.now() / 1_000) + 30)
    const { send, server } = await inFrontOf(
      (_, response) => {
        response.writeHead(200, { 'X-RateLimit-Limit': '33', 'X-RateLimit-Reset': reset })
        response.end(JSON.stringify({ id: 'acct_a', name: 'A', email: 'a@example.com', plan }))
      },
      { record: folder },
    )
    await send('/v1/account')
    await server.close()
    const world = createGreenhouse({ fixtures: loadFixtures(join(folder, 'fixtures')) }).world()
    expect(world.records.accounts.get('acct_a')!.plan).toBe('learnt_a')
    expect(world.records.plans.get('learnt_a' as never)).toMatchObject({ minute: 33 })
    const { not_learnt } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as { not_learnt: string[] }
    expect(not_learnt).toEqual([`plans ${plan}: id`])
  },
)

test('no credential is in what is written, wherever it was', async () => {
  const secrets = ['sk_live_inHeader0123456789ab', 'sk_live_inQuery0123456789abc', 'sk_live_inBody0123456789abcd']
  const folder = join(writeFolder({}), 'learnt')
  const app = { id: 'app_cccccccccccccccc', name: secrets[0], system_prompt: secrets[2], login_required: false }
  const { send, greenhouse, server } = await inFrontOf(
    (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': `session=${secrets[0]}` })
      response.end(JSON.stringify(request.method === 'GET' ? [{ ...app, [secrets[1]!]: 1 }] : app))
    },
    { record: folder },
  )
  const headers = { authorization: `Bearer ${secrets[0]}`, cookie: `session=${secrets[0]}` }
  await send(`/v1/apps?token=${secrets[1]}`, { headers })
  await send('/v1/apps', { method: 'POST', headers, body: JSON.stringify({ name: secrets[2] }) })
  await server.close()
  expect(greenhouse.world().journal.calls()).toHaveLength(2)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\./.test(name))
  expect(files).toHaveLength(4)
  for (const name of files)
    for (const secret of secrets) expect(readFileSync(join(folder, name), 'utf8')).not.toContain(secret)
  expect(readFileSync(join(folder, 'report.json'), 'utf8')).toContain('"operation":"apps.list"')
})

test.each(['12', 'Fern'])('a short key %s changes no word that holds it, and no number', async (key) => {
  const folder = join(writeFolder({}), 'learnt')
  const plants = '[{"id":12,"name":"p 12 112 Ferns"}]'
  const { send, server } = await inFrontOf((_, response) => response.end(plants), { record: folder })
  await send('/plants', { headers: { authorization: `Bearer ${key}` } })
  await server.close()
  const { plants: learnt } = loadFixtures(join(folder, 'fixtures')) as unknown as { plants: object[] }
  expect(learnt).toMatchObject([{ name: 'p 12 112 Ferns' }])
})

test('Ctrl-C writes the whole folder; nothing is written without --record or over other files', async () => {
  await using real = await serve(createGreenhouse())
  const parent = writeFolder({ 'other/notes.txt': 'mine' })
  const words = ['proxy', '--target-plants', real.url, '--port', '0', '--log', 'json']
  const { untilPrinted, kill, ended } = startInside([...words, '--record', join(parent, 'learnt')])
  const [, url] = await untilPrinted(/"plants_url":"([^"]+)"/)
  await fetch(`${url}/plants`, { headers: { authorization: 'Bearer key_pro' } })
  kill('SIGINT')
  expect((await ended).code).toBe(0)
  expect(readdirSync(parent).toSorted()).toEqual(['learnt', 'other'])
  const { stderr, code } = await startInside([...words, '--record', join(parent, 'other')]).ended
  expect([code, stderr]).toEqual([2, expect.stringContaining(`Failed to record into ${join(parent, 'other')}`)])
  onTestFinished(() => expect(readdirSync(parent).toSorted()).toEqual(['learnt', 'other']))
})
