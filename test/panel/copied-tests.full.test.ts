import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { createGreenhouse, type Greenhouse, type World } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { expect, test } from 'vitest'
import { cases } from '../coverage/cases/index.ts'
import { toSent } from '../coverage/ways.ts'
import type { Prepared, Sent } from '../malformations/requests.ts'
import { packedProject, toUserEnvironment } from '../package/packed.ts'
import { control } from '../support/control.ts'
import { panelTest } from '../support/panel.ts'
import { createCaller, start, toInit } from '../support/test-api.ts'
import { copyAs } from './page.ts'
import { openSent } from './world.ts'

const bearer = (key: string) => ({ key: null, headers: { authorization: `Bearer ${key}` } })

const messages = '/v1/apps/app_ei7hiu7oakwdf7nn/conversations/conv_b5balhth5ea67ksu/messages'

/** The last of these requests, after the others. `ID` in a path is that of the first reply. */
function after(...sent: readonly Sent[]): Prepared {
  return async (call) => {
    const ids: string[] = []
    const toPath = (path: string) => path.replace('ID', ids[0]!)
    for (const [method, path, options] of sent.slice(0, -1))
      ids.push((await call(method, toPath(path), options)).body?.id)
    const [method, path, options] = sent.at(-1)!
    return [method, toPath(path), options]
  }
}

/** A request in a world that was changed. */
function inWorld(change: (world: World) => unknown, ask: Prepared = list(2)): Prepared {
  return async (call, world) => {
    await change(world)
    return typeof ask === 'function' ? ask(call, world) : ask
  }
}

/** The same, where the journal knows none of the others. */
function cleared(...sent: readonly Sent[]): Prepared {
  return async (call, world) => {
    const last = await toSent(after(...sent), call, world)
    world.journal.clear()
    return last
  }
}

type Choice = Parameters<World['use']>[0]

const use = (choice: Choice, ask?: Prepared) => inWorld((world) => world.use(choice), ask)
const update = (collection: 'accounts' | 'keys', id: string, changes: object, ask?: Prepared) =>
  inWorld((world) => world.records[collection].update(id, changes), ask)
const assume = (id: string, value: string, ask: Prepared) =>
  inWorld((world) => world.assume({ [id]: value }), ask)
const get = (path: string, options = {}): Sent => ['GET', path, options]
const post = (path: string, body: unknown, headers = {}): Sent => ['POST', path, { body, headers }]
const patch = (body: object): Sent => ['PATCH', '/v1/apps/ID', { body }]
const del = (id: number): Sent => ['DELETE', `/plants/${id}`]
const create = (id: number, name = 'Fern') => post('/plants', { id, name })
const createApp = (name: string, headers = {}) => post('/v1/apps', { name }, headers)
const list = (limit: number, key?: string) =>
  get(`/v1/apps?limit=${limit}`, { ...(key && { key }) })
const lists = (...limits: readonly number[]) => after(...limits.map((limit) => list(limit)))

/**
 * What a request may need, the status of its reply, and what its copied test must have, or must
 * not.
 */
type Situation = readonly [what: string, status: number, ask: Prepared, code?: RegExp]

const second: Choice = {
  title: 'second',
  respond: [{ on: 'apps.list', status: 503, after: 1, times: 1 }],
}
const stub: Choice = { respond: [{ on: 'apps.list', status: 418, body: { error: 'tea' } }] }
const malformed = { malform: [{ on: 'apps.list', at: '/data/0/name', kind: 'null' }] } as never
const keyed = { 'idempotency-key': 'one' }
const thenPlants = get('/plants?limit=100')
const apps = ['one', 'two', 'three'].map((name) => createApp(name))
const changes = [createApp('first'), patch({ description: 'Helps' }), patch({ name: 'second' })]
const allowed = assume('plants.delete.unknown', '204', del(77777))
const doubles = assume('plants.create.duplicate-id', '409', after(create(900), create(900)))
const afterOthers = use(second, after(get('/plants'), list(1), list(2)))
const first: Choice = { respond: [{ on: 'apps.list', status: 503, times: 1 }] }

/** A request with one of two keys that were created. */
const withCreated: Prepared = async (call, world) => {
  const { secret } = await world.createKey({ account: 'acct_pro' })
  const { secret: other } = await world.createKey({ account: 'acct_lite' })
  await call(...createApp('first', { authorization: `Bearer ${other}` }))
  await call(...createApp('second', { authorization: `Bearer ${secret}` }))
  return get('/v1/account', bearer(secret))
}

const situations: readonly Situation[] = [
  [
    'a list of what was created, changed and deleted',
    200,
    async (call, world) => {
      await call(...create(900))
      await call(...create(901, 'Ivy'))
      await call(...del(901))
      world.records.plants.update(900, { tag: 'green' })
      return thenPlants
    },
    /put: \{ collection: 'plants'[^]*tag: 'green'/,
  ],
  [
    'a record with a long id',
    200,
    after(post('/plants', '{"id":9007199254740995,"name":"Fern"}'), thenPlants),
  ],
  ['a creation', 200, create(900, "O'Fern ${1} `x`"), /createTest/],
  ['a creation after others', 201, after(...apps), /request: 'POST \/v1\/apps'/],
  [
    'a deletion of what was created',
    204,
    after(create(900), create(901), del(900)),
    /request: 'POST \/plants'/,
  ],
  ['a change of what was changed before', 200, after(...changes), /request: 'POST \/v1\/apps'/],
  ['a wrong body', 400, post('/v1/apps', { name: 7 })],
  ['no JSON', 400, post('/plants', '{"id":')],
  ['no key', 401, get('/plants', { key: null })],
  ['a key that nobody has', 401, get('/v1/apps', { key: 'sk_0123456789abcdef' })],
  [
    'a key that was revoked',
    401,
    update('keys', 'key_pro', { revoked: true }),
    /secret: 'key_pro'[^]*revoked: true/,
  ],
  [
    'a key that has expired since',
    401,
    async (call, world) => {
      const { secret } = await world.createKey({
        account: 'acct_pro',
        expires_at: '2026-03-01T13:00:00Z',
      })
      await call(...get('/v1/apps', bearer(secret)))
      world.clock.advance('2h')
      return get('/v1/apps', bearer(secret))
    },
    /expires_at[^]*clock: \{ now/,
  ],
  [
    'a generated key without the scope',
    403,
    async (_, world) => {
      const { secret } = await world.createKey({ account: 'acct_pro', scopes: ['plants:read'] })
      return ['POST', '/plants', { body: { id: 900, name: 'Fern' }, ...bearer(secret) }]
    },
    /Bearer key_copied'/,
  ],
  ['what was deleted before', 404, after(del(101), del(101)), /request: 'DELETE \/plants\/101'/],
  ['a path that is none', 404, get('/v1/nowhere')],
  [
    'a deletion that the assumption allows',
    204,
    allowed,
    /world\.assume\(\{ 'plants\.delete\.unknown': '204' \}\)/,
  ],
  [
    'what exists already',
    409,
    doubles,
    /assume: \{ 'plants\.create\.duplicate-id': '409' \}[^]*POST \/plants/,
  ],
  [
    'a quota that was spent',
    429,
    after(...Array(61).fill(list(1, 'key_free'))),
    /(?:GET \/v1\/apps\?limit=1'(?:(?!GET )[^])*){60}/,
  ],
  ['a counter of a scenario', 429, use('rate-limited-plan:remaining=2', lists(1, 2, 3))],
  ['the second call of a scenario', 503, afterOthers, /use: \[[^]*GET \/v1\/apps\?limit=1'/],
  [
    'an Idempotency-Key that was used',
    201,
    after(createApp('first', keyed), createApp('first', keyed)),
  ],
  [
    'a scenario of the request',
    500,
    get('/plants', { headers: { 'x-greenhouse-scenario': 'server-error' } }),
  ],
  ['a stub', 418, use(stub), /status: 418/],
  ['a connection that is cut', 0, use('connection-reset'), /rejects/],
  ['no reply at all', 0, use('timeout'), /AbortSignal\.timeout/],
  ['a reply that takes long', 200, use('slow:ms=300'), /world\.use\(\{ name: 'slow', ms: 300/],
  ['a body that is cut', 200, use('truncated-body'), /text\.slice\(0/],
  ['a body that is no text', 200, use('invalid-utf8')],
  ['a malformation', 200, use(malformed), /null/],
  [
    'a stream',
    200,
    inWorld((world) => world.clock.freeze(), post(messages, { content: 'Hi', stream: true })),
  ],
  [
    'the deliveries of a webhook',
    200,
    async (call, world) => {
      const { body } = await call(
        ...post('/v1/webhooks', { url: 'http://127.0.0.1:1/', events: ['app.created'] }),
      )
      await call(...createApp('new'))
      await world.settled()
      return get(`/v1/webhooks/${body.id}/deliveries`)
    },
    /answer: \{[^]*delivery/,
  ],
  [
    'what time did',
    200,
    async (call, world) => {
      const { body } = await call(
        ...post('/v1/credits/purchases', { amount: 100, payment_method: 'pm_ok' }),
      )
      world.clock.advance('1d')
      return get(`/v1/credits/purchases/${body.id}`)
    },
    /clock: \{ now/,
  ],
  [
    'another plan',
    200,
    update('accounts', 'acct_pro', { plan: 'lite' }, get('/v1/account')),
    /plan: 'lite'/,
  ],
  ['two keys that were created', 200, withCreated, /Bearer key_copied'/],
  ['what a scenario answers no more', 200, use(first, lists(1, 2)), /GET \/v1\/apps\?limit=1'/],
  ['reads before it, which do not matter', 200, use('slow:ms=1', lists(1, 2)), /createTest/],
  ['a creation after the journal was cleared', 200, cleared(createApp('first'), create(900))],
  [
    'a deletion after the journal was cleared',
    204,
    cleared(createApp('first'), create(900), del(900)),
  ],
  [
    'a change after the journal was cleared',
    200,
    cleared(createApp('first'), patch({ name: 'second' })),
  ],
]

const project = packedProject('vitest', '@playwright/test')

/** Sends a request to a world of its own, and returns the number of its entry. */
async function record(greenhouse: Greenhouse, url: string, name: string, ask: Prepared) {
  const send = (path: string, init?: RequestInit) => fetch(`${url}/~${name}${path}`, init)
  const world = greenhouse.world(name)
  const [method, path, options] = await toSent(ask, createCaller(send), world)
  const signal = AbortSignal.timeout(5_000)
  await send(path, { ...toInit(method, options), signal })
    .then((reply) => reply.text())
    .catch(() => undefined)
  const { id, response } = world.journal.calls().at(-1)!
  return { id: String(id), status: response.status }
}

const commands = {
  // A process for each of the files takes four times as long, and shows no more.
  vitest: ['.test.mjs', 'node_modules/vitest/vitest.mjs', 'run', '--no-isolate'],
  // The matrix of runners has Jest; its globals are those of Playwright here.
  jest: ['.cjs', '--test', '--require', './globals.cjs'],
  playwright: ['.spec.mjs', 'node_modules/@playwright/test/cli.js', 'test'],
  node: ['.node.mjs', '--test'],
} as const

const globals =
  "Object.assign(globalThis, { test: require('node:test'), expect: require('@playwright/test').expect })"

/**
 * Runs tests as they were copied, each in a file of its own, and returns how many passed and
 * failed.
 */
async function runCopied(runner: keyof typeof commands, folder: string, tests: readonly string[]) {
  const [ending, ...words] = commands[runner]
  const files = tests.map((_, at) => `${folder}-${at}${ending}`)
  project.write('globals.cjs', globals)
  for (const [at, file] of files.entries()) project.write(file, tests[at]!)
  const environment = { ...toUserEnvironment(), NO_COLOR: '1' }
  const child = spawn(process.execPath, [...words, ...files], {
    cwd: project.folder,
    env: environment,
  })
  const [output, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  const count = (what: string) => {
    const found = new RegExp(
      `Tests .*?(\\d+) ${what}ed|^# ${what} (\\d+)|^ +(\\d+) ${what}ed`,
      'm',
    ).exec(output)
    return Number(found?.slice(1).find(Boolean) ?? 0)
  }
  return { passed: count('pass'), failed: count('fail'), output: output + errors }
}

test('a copied test passes as it stands, for each operation and status', async () => {
  using greenhouse = createGreenhouse({ now: start })
  await using server = await serve(greenhouse)
  // Tests of the same options fit in one file, with the head of the first.
  const byHead = new Map<string, string[]>()
  const incomplete: string[] = []
  let count = 0
  for (const [operation, ways] of Object.entries(cases))
    for (const [status, [way]] of Object.entries(ways)) {
      if (!way) continue
      const name = `w${count++}`
      greenhouse.world(name).clock.freeze()
      const entry = await record(greenhouse, server.url, name, way[1])
      expect([operation, entry.status]).toEqual([operation, Number(status)])
      const { body } = await control(
        server,
        'GET',
        `/worlds/${name}/journal/${entry.id}/code?as=vitest`,
      )
      greenhouse.deleteWorld(name)
      const [head, test] = body.text.split(/\n(?=test\()/)
      incomplete.push(...body.notes)
      const options = head.slice(head.indexOf('import'))
      byHead.set(options, [
        ...(byHead.get(options) ?? []),
        test.replace("test('", `test('${name} ${operation}: `),
      ])
    }
  expect(incomplete).toEqual([
    'The journal did not keep the body, which was too large: this one is, too.',
  ])
  const files = Array.from(byHead, ([head, tests]) => [head, ...tests].join('\n'))
  const { passed, failed, output } = await runCopied('vitest', 'operation', files)
  expect([passed, failed], output.slice(-3_000)).toEqual([count, 0])
})

test.each(['vitest', 'node', 'jest', 'playwright'] as const)(
  'the copied test of each situation passes in %s, and fails without what it arranges',
  async (runner) => {
    using greenhouse = createGreenhouse({ now: start })
    await using server = await serve(greenhouse)
    const rows = runner === 'vitest' ? situations : situations.filter((_, at) => at % 6 === 0)
    const tests: string[] = []
    for (const [at, [what, status, ask, code = /./]] of rows.entries()) {
      const entry = await record(greenhouse, server.url, `s${at}`, ask)
      const { body } = await control(
        server,
        'GET',
        `/worlds/s${at}/journal/${entry.id}/code?as=${runner}`,
      )
      const isIncomplete = what.endsWith('after the journal was cleared')
      expect
        .soft([what, entry.status, body.text.startsWith('//')])
        .toEqual([what, status, isIncomplete])
      expect.soft(body.text, what).toMatch(code)
      if (!isIncomplete) tests.push(body.text)
    }
    const { passed, failed, output } = await runCopied(runner, 'situation', tests)
    expect([passed, failed], output.slice(-15_000)).toEqual([tests.length, 0])

    if (runner !== 'vitest') return
    const whole = tests.filter((_, at) => rows[at]![1] !== 0).slice(0, 20)
    const bare = whole.map((code) =>
      code.replace(
        /^ {2}world\.(?!clock)[^]*?\n(?= {2}const reply)|^ {4}steps: \[[^]*?^ {4}\],\n/m,
        '',
      ),
    )
    // A key that has expired gets the same reply as one that nobody has.
    const arranged = bare.filter(
      (code, at) => code !== whole[at] && !/key_copied[^]*401/.test(code),
    )
    expect(arranged.length).toBeGreaterThan(8)
    const less = await runCopied('vitest', 'bare', arranged)
    expect([less.passed, less.failed], less.output.slice(-5_000)).toEqual([0, arranged.length])
  },
)

panelTest('the page copies a request as the test that the control API gives', async () => {
  const { page, server } = await openSent('/plants?limit=1')
  const { body } = await control(server, 'GET', '/worlds/default/journal/1/code?as=vitest')
  expect(await copyAs(page, 'a test for Vitest')).toBe(body.text)
})
