import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, expectTypeOf, onTestFinished, test, vi } from 'vitest'
import {
  type Clock,
  createGreenhouse,
  type Greenhouse,
  type Journal,
  type Records,
  type World,
} from 'greenhouse-mock'
import {
  CallError,
  connect,
  ForeignServerError,
  type Remote,
  type RemoteWorld,
  ServerUnreachableError,
  TokenError,
} from 'greenhouse-mock/client'
import { serve } from 'greenhouse-mock/server'
import { version } from '../../package.json'
import { findFreePort } from '../support/free-port.ts'
import { answerUntilEnd } from '../support/listen.ts'

/** What a world on a server lacks, and why. */
const notRemote: Record<string, string> = {
  core: 'what the package itself uses',
  writeCase: 'what the package itself uses',
  toState: 'what the package itself uses: it has secrets',
  nameKey: 'what the package itself uses',
  redact: 'what the package itself uses',
  scenario: 'a header for requests that name no world: active and useOnly say the same',
  'clock.schedule': 'its work is a function, which runs in the process of the world',
  'clock.wait': 'what the package itself uses',
  'journal.bytes': 'the memory of the server is not that of the client',
  'journal.subscribe':
    'its listener is a function, which runs in the process of the world: follow yields the same',
}

async function serveOne(
  options: Parameters<typeof serve>[1] = {},
  greenhouse: Greenhouse = createGreenhouse({ seed: 1 }),
) {
  const server = await serve(greenhouse, options)
  onTestFinished(() => server.close())
  return { greenhouse, server, url: server.url }
}

test('a world on a server has every name of World, but for those with a reason', async () => {
  const { greenhouse, url } = await serveOne()
  const remote = (await connect(url)).world()
  // What prints or copies it reads all of these.
  const shown = [remote, remote.clock].flatMap((one) => Object.values(one))
  expect(shown.filter((one) => one instanceof Promise)).toEqual([])
  const namesOf = (value: object): string[] => {
    const names = new Set<string>()
    for (let one = value; one && one !== Object.prototype; one = Object.getPrototypeOf(one))
      for (const name of Object.getOwnPropertyNames(one))
        if (!/^(constructor|_|#)/.test(name)) names.add(name)
    return [...names]
  }
  const world = greenhouse.world()
  const parts = [
    ['', world, remote],
    ['clock.', world.clock, remote.clock],
    ['journal.', world.journal, remote.journal],
    ['records.', world.records, remote.records],
    ['records.plants.', world.records.plants, remote.records.plants],
  ] as const
  const declared =
    'name seed pinned frozen size evicted bytes calls violations clear subscribe'.split(' ')
  const missing = parts.flatMap(([prefix, one, other]) =>
    [...namesOf(one), ...declared.filter((name) => name in one)]
      .filter((name) => !(name in other))
      .map((name) => prefix + name),
  )
  // A clock and a journal have more, for the package itself: interfaces say what people use.
  const own =
    /^(clock\.(due|isBehind|hold|release|during|tick|save|restore|stop|end)|journal\.(records|compare|findMissing|assertNoneMissed|assertScenario|get|lastId|observe|isObserved|end|write|complete|markSent|evict|validator|secretFinders))$/
  expect([...new Set(missing)].filter((name) => !own.test(name) && !(name in notRemote))).toEqual(
    [],
  )
})

test('a world on a server has the types of World, as promises', () => {
  // Of what ships, the package itself uses some that is not declared there.
  type Internal = 'core' | 'writeCase' | 'toState' | 'nameKey' | 'redact' | 'wait'
  type Missing<T> = Exclude<keyof T, keyof Remote<T> | Internal>
  expectTypeOf<Missing<World>>().toEqualTypeOf<'scenario'>()
  expectTypeOf<Missing<Clock>>().toEqualTypeOf<'schedule'>()
  expectTypeOf<Missing<Journal>>().toEqualTypeOf<'bytes' | 'subscribe'>()
  expectTypeOf<Missing<Records<{ id: string }>>>().toEqualTypeOf<never>()
  expectTypeOf<RemoteWorld['pinned']>().toEqualTypeOf<Promise<boolean>>()
  expectTypeOf<RemoteWorld['name']>().toEqualTypeOf<string>()
  expectTypeOf<RemoteWorld['key']>().toEqualTypeOf<World['key']>()
  expectTypeOf<ReturnType<RemoteWorld['clock']['now']>>().toEqualTypeOf<Promise<number>>()
  expectTypeOf<ReturnType<RemoteWorld['toCase']>>().toEqualTypeOf<
    Promise<ReturnType<World['toCase']>>
  >()
  type Get = World['records']['plants']['get']
  type RemoteGet = RemoteWorld['records']['plants']['get']
  expectTypeOf<Parameters<RemoteGet>>().toEqualTypeOf<Parameters<Get>>()
  expectTypeOf<Awaited<ReturnType<RemoteGet>>>().toEqualTypeOf<ReturnType<Get>>()
  const calls = (world: RemoteWorld) => [
    world.assume('plants.delete.unknown', '204'),
    world.assume({ 'plants.delete.unknown': '204' }),
    world.use('slow', { ms: 5 }),
    // @ts-expect-error: there is no such scenario.
    world.use('slwo'),
    // @ts-expect-error: there is no such value.
    world.assume('plants.delete.unknown', 204),
  ]
  expectTypeOf(calls).returns.toEqualTypeOf<Promise<void>[]>()
})

test('a test gets a world, changes it, and asserts what it received', async () => {
  const { greenhouse, url } = await serveOne()
  const client = await connect(url)
  expect(client).toMatchObject({ url, version })
  let name: string
  {
    await using world = await client.isolate({ scenarios: ['expired-key'] })
    name = world.name
    expect(await world.scenarios).toEqual(['expired-key'])
    const ask = (key: string) =>
      fetch(`${world.plantsUrl}/plants`, { headers: { authorization: `Bearer ${key}` } })
    expect((await ask('key_pro')).status).toBe(401)
    await world.clear()
    expect(
      (await fetch(`${world.appsUrl}/apps`, { headers: { authorization: 'Bearer key_pro' } }))
        .status,
    ).toBe(200)
    expect(world.key('key_pro')).toBe(`key_pro@${name}`)
    expect(await world.journal.calls({ operation: 'plants.list' })).toMatchObject([
      { response: { status: 401 } },
    ])
    const record = await world.records.plants.create({
      id: 9007199254740993n + 6n,
      name: 'Fern',
      account: 'acct_pro',
    })
    expect(record.id).toBe(9007199254740999n)
    expect(await client.hasWorld(name)).toBe(true)
  }
  expect(greenhouse.hasWorld(name)).toBe(false)
  expect(await client.worlds()).toEqual(['default'])
  expect(await client.deleteWorld(name)).toBe(false)
  expect(await client.operations()).toEqual(greenhouse.operations())
  const lists = [greenhouse.scenarios({ search: 'key' }), greenhouse.assumptions()]
  const listed = [await client.scenarios({ search: 'key' }), await client.assumptions()]
  expect(listed).toEqual(JSON.parse(JSON.stringify(lists)))
})

test('a key is found, changed and deleted by its secret', async () => {
  const { url } = await serveOne()
  const world = (await connect(url)).world('keys')
  const { secret } = await world.createKey({ account: 'acct_pro', revoked: true })
  expect(await world.records.keys.get(secret)).toMatchObject({ account: 'acct_pro', revoked: true })
  expect(await world.records.keys.update(secret, { revoked: false })).toMatchObject({
    revoked: false,
  })
  expect(await world.records.keys.delete(secret)).toBe(true)
  expect(await world.records.keys.get(secret)).toBe(undefined)
})

test('connect rejects within two seconds when no Greenhouse answers', async () => {
  const silent = await answerUntilEnd(() => {})
  const error = await connect(silent).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ServerUnreachableError)
  expect(error).toMatchObject({
    message: expect.stringContaining(`${silent}: it does not answer within 2 s.`),
  })
  const foreign = await answerUntilEnd((_, response) => response.end('<html>'))
  await expect(connect(foreign)).rejects.toBeInstanceOf(ForeignServerError)
})

const foreignAnswers = ['null', '[]', '{}', '7', '"ok"', '{"data":[]}', '<html>']

test.each(foreignAnswers)(
  'a server that answers %s to everything is no Greenhouse',
  async (text) => {
    const foreign = await answerUntilEnd((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(text)
    })
    await expect(connect(foreign)).rejects.toBeInstanceOf(ForeignServerError)
  },
)

test.each([401, 403, 404, 429])(
  'an app management that answers %i to everything is no Greenhouse',
  async (status) => {
    const error = { code: 'not_found', message: 'Not here.', request_id: 'req_1' }
    const foreign = await answerUntilEnd((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error }))
    })
    await expect(connect(foreign)).rejects.toBeInstanceOf(ForeignServerError)
  },
)

test('a world on a server refuses the same arguments as World', async () => {
  const { url, greenhouse } = await serveOne()
  const far = (await connect(url)).world() as any
  const calls: readonly ((world: any) => unknown)[] = [
    (world) => world.journal.calls({ key: 'key_por' }),
    (world) => world.clock.advance(undefined),
    (world) => world.clock.set(undefined),
    (world) => world.assume('plants.delete.unknown', 204),
    (world) => world.assume(undefined),
    (world) => world.snapshot(undefined),
    (world) => world.restore(5),
    (world) => world.toCase(5),
    (world) => world.trigger(undefined),
    (world) => world.trigger('webhook.test', {}, { acount: 'acct_pro' }),
    (world) => world.key(undefined),
  ]
  for (const call of calls) {
    await expect((async () => call(greenhouse.world()))(), String(call)).rejects.toThrow()
    await expect((async () => call(far))(), String(call)).rejects.toThrow(/^Failed to/)
  }
  const wrong = [
    ['plants.delete.unknown', 204],
    [{ 'plants.delete.unknown': null }],
    [5],
    [Symbol('a')],
  ]
  for (const given of wrong) {
    const told =
      /^Failed to (set the assumption "plants.delete.unknown" to (204|null)|call world.assume\(\): the first argument): /
    expect(() => (greenhouse.world() as any).assume(...given)).toThrow(told)
    await expect(far.assume(...given)).rejects.toThrow(told)
  }
  await expect(far.journal.calls({ key: 'key_por' })).rejects.toThrow('Did you mean "key_pro"?')
  expect(await far.journal.calls({ key: 'key_pro' })).toEqual([])
})

test('a stream that its server closes at once is opened again after a pause', async () => {
  const ending = new AbortController()
  let opened = 0
  const client = await connect('http://greenhouse.test', {
    async fetch({ pathname }) {
      if (!pathname.endsWith('/stream'))
        return Response.json({ version, journal: 'j', data: [], size: 0, evicted: 0 })
      opened++
      const closed = 'event: closed\ndata: {"reason":"overflow"}\n\n'
      return new Response(closed, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const reading = (async () => {
    for await (const _ of client.world().journal.follow({ signal: ending.signal })) continue
  })()
  const turns = 2_000
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
  ending.abort()
  await reading.catch(() => undefined)
  expect(opened).toBeGreaterThan(0)
  expect(opened).toBeLessThan(turns / 10)
})

test.each<[string, unknown, RegExp]>([
  ['a function', () => 1, /respond\W0\W+body: is a function/],
  ['a function within', { made: () => 1 }, /respond\W0\W+body\.made: is a function/],
  ['what is no number', { size: NaN }, /body\.size: is not a valid JSON number: NaN/],
  ['a Map', { all: new Map([[1, 2]]) }, /body\.all: is a Map: expected a JSON value/],
])('a client refuses a scenario with %s, as a world in process does', async (_, body, message) => {
  const { url, greenhouse } = await serveOne()
  const world = (await connect(url)).world()
  const scenario = { respond: [{ on: 'apps.list', status: 500, body: body as object }] } as const
  expect(() => greenhouse.world().use(scenario)).toThrow(message)
  await expect(world.use(scenario)).rejects.toThrow(message)
  await expect(world.useOnly(['slow', scenario])).rejects.toThrow(message)
  await expect(world.reset({ scenarios: [scenario] })).rejects.toThrow(message)
  await expect(world.use('slow', { ms: body as number })).rejects.toThrow(/^Failed to use/)
  expect(await world.scenarios).toEqual([])
})

test('a journal that is followed for a limited time fails when that is over', async () => {
  const client = await connect((await serveOne()).url)
  const signal = AbortSignal.timeout(1)
  const following = (async () => {
    for await (const _ of client.world().journal.follow({ signal })) continue
  })()
  await expect(following).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('a wrong token says how to give one', async () => {
  const { url } = await serveOne({ token: 'a-long-secret' })
  const wrong =
    'The token is missing or wrong: call connect(url, { token }), with the value of --token.'
  await expect(connect(url)).rejects.toThrow(wrong)
  await expect(connect(url, { token: 'other' })).rejects.toBeInstanceOf(TokenError)
  expect(await (await connect(url, { token: 'a-long-secret' })).world().seed).toBe(1)
})

test.each([
  [
    () => connect('127.0.0.1:4010'),
    'expected the URL of a server, such as "http://127.0.0.1:4010", received "127.0.0.1:4010"',
  ],
  [() => connect('http://127.0.0.1:4010/v1'), 'expected the URL of a server'],
  [() => connect('http://127.0.0.1:4010', { tokn: 'x' } as never), 'Did you mean "token"?'],
  [
    () => connect('http://127.0.0.1:4010', { token: 7 as never }),
    'token: expected the value of --token',
  ],
  [() => connect('http://127.0.0.1:4010', { fetch: 'x' as never }), 'fetch: expected a function'],
  [
    () => connect('http://127.0.0.1:4010', { signal: {} as never }),
    'signal: expected an AbortSignal',
  ],
])('a wrong argument of connect is an error: %#', async (call, message) => {
  await expect(call()).rejects.toThrow(message)
})

test('a name that no world may have is an error', async () => {
  const client = await connect((await serveOne()).url)
  for (const name of ['a b', '..', ''])
    expect(() => client.world(name)).toThrow('expected the name of a world')
  expect(() => (client.world().records as unknown as Record<string, unknown>)['plantz']).toThrow(
    'Did you mean "plants"?',
  )
})

test('another major version is a warning with both', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const foreign = await answerUntilEnd((request, response) =>
    response.end(
      JSON.stringify(request.url === '/__greenhouse/start' ? { version: '9.1.0' } : { data: [] }),
    ),
  )
  await connect(foreign)
  expect(warn.mock.calls).toEqual([
    [expect.stringContaining(`has version 9.1.0, and this client ${version}.`)],
  ])
})

test('the signal of a client ends its calls and its loops', async () => {
  const { url } = await serveOne()
  const controller = new AbortController()
  const client = await connect(url, { signal: controller.signal })
  const following = (async () => {
    for await (const _ of client.world().journal.follow()) continue
  })()
  controller.abort(new Error('enough'))
  await following.catch((error: unknown) => expect(error).toMatchObject({ message: 'enough' }))
  await expect(client.worlds()).rejects.toThrow('enough')
})

const get = (url: string) =>
  fetch(url, { headers: { authorization: 'Bearer key_pro' } }).then((reply) => reply.text())

test('a journal is followed over a restart of the server, until the loop ends', async () => {
  const port = await findFreePort()
  const first = await serve(createGreenhouse({ seed: 1 }), { port })
  const client = await connect(first.url)
  const world = client.world()
  await get(`${first.url}/plants?limit=1`)
  const seen: string[] = []
  const controller = new AbortController()
  const following = (async () => {
    for await (const { request } of world.journal.follow({ signal: controller.signal }))
      seen.push(request.url)
  })()
  await expect
    .poll(() => get(`${first.url}/plants?limit=2`).then(() => seen.length), { interval: 100 })
    .toBeGreaterThan(0)
  expect(seen).not.toContain('/plants?limit=1')
  await first.close()
  await using second = await serve(createGreenhouse({ seed: 1 }), { port })
  await get(`${second.url}/plants?limit=3`)
  await expect.poll(() => seen.at(-1)).toBe('/plants?limit=3')
  await get(`${second.url}/plants?limit=4`)
  await expect.poll(() => seen.slice(-2)).toEqual(['/plants?limit=3', '/plants?limit=4'])
  controller.abort()
  await following
  expect(await world.seed).toBe(1)
})

test('a world that is gone says so when it is read', async () => {
  const { greenhouse, url } = await serveOne()
  const world = (await connect(url)).world('shop')
  expect(await world.scenarios).toEqual([])
  const following = (async () => {
    for await (const _ of world.journal.follow()) continue
  })().catch((error: unknown) => error)
  await expect
    .poll(() => get(`${world.plantsUrl}/plants`).then(() => world.journal.size))
    .toBeGreaterThan(0)
  greenhouse.deleteWorld('shop')
  await expect(world.scenarios).rejects.toThrow('There is no world "shop".')
  const ended = await following
  expect(ended).toBeInstanceOf(CallError)
  expect(ended).toMatchObject({ code: 'unknown_world', status: 404 })
})

test('a journal that dropped entries does not say that a call never came', async () => {
  const { url } = await serveOne({}, createGreenhouse({ seed: 1, journal: { entries: 2 } }))
  const world = (await connect(url)).world()
  await get(`${url}/v1/apps`)
  for (let count = 0; count < 3; count++) await get(`${url}/plants`)
  await expect(
    world.journal.calls({ operation: 'plants.list', body: { name: 'x' } }),
  ).rejects.toThrow("The journal can't tell whether this was ever called")
  await expect(world.journal.violations({ operation: 'apps.list' })).rejects.toThrow(
    "The journal can't tell whether",
  )
  expect(await world.journal.calls({ operation: 'plants.create', body: { name: 'x' } })).toEqual([])
})

test('a process that sends its requests through a proxy reaches a server of this machine', async () => {
  const { url } = await serveOne()
  const client = JSON.stringify(new URL('../../dist/client.js', import.meta.url).href)
  const script = `const { connect } = await import(${client})
    const world = (await connect('${url}')).world()
    await world.use('slow')
    console.log(await world.scenarios)
    for await (const { request } of world.journal.follow()) { console.log(request.url); break }`
  const proxy = `http://127.0.0.1:${await findFreePort()}`
  const env = {
    ...process.env,
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: proxy,
    NO_PROXY: '',
    no_proxy: '',
  }
  const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env,
  })
  const asking = setInterval(() => void get(`${url}/plants`).catch(() => 'the server closed'), 100)
  onTestFinished(() => clearInterval(asking))
  expect((await running).stdout).toBe("[ 'slow' ]\n/plants\n")
})
