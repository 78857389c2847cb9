import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { createGreenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { defineCollection, defineOperation, definePlugin } from 'greenhouse-mock/config'
import { giveCredits, openApp } from '../conversations/chat.ts'
import { expectOutput, takeOutput } from '../support/output.ts'
import { open as openGreenhouse, toInit, type CallOptions } from '../support/test-api.ts'
import { sensorPlugin } from '../../examples/plug-in/sensors.ts'

function open(options: GreenhouseOptions = {}) {
  const {
    call: send,
    greenhouse,
    world,
  } = openGreenhouse({ plugins: [sensorPlugin()], ...options })
  const call = (target: string, body?: unknown, options: CallOptions = {}) => {
    const [method, path] = target.split(' ') as [string, string]
    return send(method, path, { body, ...options })
  }
  return { greenhouse, world, call }
}

const openWith = (...operations: ReturnType<typeof defineOperation>[]) =>
  open({ plugins: [], operations })

test('an operation answers with what its handler returns, and keeps its records', async () => {
  const { world, call } = open()
  const { status, body } = await call('POST /sensors/', { plant: 101 })
  expect([status, body]).toEqual([
    201,
    { id: expect.stringMatching(/^sensor_\w{16}$/), plant: 101, moisture: 100, alarm_below: 10 },
  ])
  expect((await call(`GET /sensors/${body.id}`)).body).toEqual(body)
  expect((await call('GET /sensors/?plant=101')).body).toHaveLength(2)
  expect((await call(`DELETE /sensors/${body.id}`)).status).toBe(204)
  expect(world.records.sensors.all().map(({ id }) => id)).toEqual(['sensor_fern'])
})

test('a body and a query may be transformed', async () => {
  const sum = defineOperation({
    id: 'plants.sum',
    method: 'POST',
    path: '/sum/{first}',
    params: z.object({ first: z.coerce.number() }),
    query: z.object({ more: z.string().transform((text) => text.split(',').map(Number)) }),
    body: z.object({
      last: z.string().transform(Number),
      unit: z.union([z.int(), z.null()]).optional(),
    }),
    handle: ({ params, query, body }) => ({ sum: [params.first, ...query.more, body.last] }),
  })
  const { call } = openWith(sum)
  expect((await call('POST /sum/1?more=2,3', { last: '4' })).body).toEqual({ sum: [1, 2, 3, 4] })
  expect((await call('POST /sum/x', { last: '4' })).body.message).toBe('first must be a number.')
  const { body } = await call('POST /sum/1?more=2', { last: '4', unit: 'm' })
  expect(body.message).toBe('unit must be an integer or null.')
})

test('undefined beside an integer of 64 bits is written as JSON.stringify does', async () => {
  const { call } = openWith(
    defineOperation({
      id: 'plants.odd',
      method: 'GET',
      path: '/odd',
      handle: () => ({ list: [undefined, 2n ** 60n], gone: undefined, last: null }),
    }),
  )
  expect((await call('GET /odd')).text).toBe('{"list":[null,1152921504606846976],"last":null}')
})

test('a schema may contain itself, with scopes and plans of your own', async () => {
  const branch = z.object({
    name: z.string(),
    get branches() {
      return z.array(branch)
    },
  })
  const graft = defineOperation({
    id: 'plants.graft',
    method: 'POST',
    path: '/plants/graft',
    scope: 'plants:graft',
    body: branch,
    handle: ({ body }) => ({ grafted: body.branches.map(({ name }) => name) }),
  })
  const { call } = open({ plugins: [], operations: [graft], plans: [{ id: 'team' as 'pro' }] })
  const body = { name: 'trunk', branches: [{ name: 'twig', branches: [] }] }
  expect((await call('POST /plants/graft', body)).body).toEqual({ grafted: ['twig'] })
  expect(
    (await call('POST /plants/graft', { name: 'trunk', branches: [{ name: 'twig' }] })).status,
  ).toBe(400)
})

test('below a schema that contains itself, every place may be malformed', async () => {
  const branch = z.object({
    name: z.string(),
    get branches() {
      return z.array(branch)
    },
  })
  const twig = { name: 'twig', branches: [] }
  const tree = defineOperation({
    id: 'plants.tree',
    method: 'GET',
    path: '/tree',
    result: branch,
    handle: () => ({ name: 'trunk', branches: [{ name: 'bough', branches: [twig] }] }),
  })
  const { world, call } = openWith(tree)
  const malform = (at: string, breaks = false) =>
    world.useOnly([
      { malform: [{ on: 'plants.tree' as 'plants.list', at, kind: 'missing', breaks }] },
    ])
  malform('/branches/0/branches/0/name')
  expect((await call('GET /tree')).body.branches[0].branches).toEqual([{ branches: [] }])
  expect(() => malform('/branches/0/branches/0/name', true)).toThrow(
    'a reply whose "/branches/0/*/0/name" is missing does not break the contract: it may be anything',
  )
  expect(() => malform('/branches/0/nme/x')).not.toThrow()
  expect(() => malform('/nme')).toThrow('a reply of plants.tree has nothing at "/nme"')
})

test('fields of one name are malformed from the inside to the outside', async () => {
  const nested = defineOperation({
    id: 'plants.nested',
    method: 'GET',
    path: '/nested',
    result: z.object({ a: z.object({ a: z.string() }) }),
    handle: () => ({ a: { a: 'inside' } }),
  })
  const { world, call } = openWith(nested)
  world.use({ malform: [{ on: 'plants.nested' as 'plants.list', field: 'a', kind: 'empty' }] })
  expect((await call('GET /nested')).body).toEqual({ a: {} })
})

test('the same seed gives the same ids', async () => {
  const [one, other] = await Promise.all(
    [open(), open()].map(({ call }) => call('POST /sensors/', { plant: 101 })),
  )
  expect(one!.body).toEqual(other!.body)
})

test('keys, scopes, input and quotas are checked as for a built-in operation', async () => {
  const { world, call } = open()
  expect((await call('GET /sensors/', undefined, { key: 'key_none' })).body.error.code).toBe(
    'invalid_api_key',
  )
  const { secret } = await world.createKey({
    account: 'acct_pro',
    scopes: ['sensors:read' as never],
  })
  expect((await call('GET /sensors/', undefined, { key: secret })).status).toBe(200)
  expect((await call('POST /sensors/', { plant: 101 }, { key: secret })).body.error).toMatchObject({
    code: 'insufficient_permissions',
    message: 'The API key lacks the scope sensors:write.',
  })
  expect(
    (await call('POST /sensors/sensor_fern/readings', { moisture: 200 })).body.error.message,
  ).toBe('moisture must be a number from 0 to 100.')
  expect((await call('GET /sensors/?plant=fern')).body.error.message).toBe(
    'plant must be an integer.',
  )
  expect((await call('GET /sensors/nothing')).body.error.message).toBe(
    'There is no sensor nothing.',
  )
  expect((await call('PUT /sensors/sensor_fern')).status).toBe(404)
  world.useOnly(['rate-limited-plan'])
  const limited = await call('GET /sensors/')
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, expect.any(String)])
})

test('a repeated Idempotency-Key runs a handler once', async () => {
  const { world, call } = open()
  const init = { headers: { 'idempotency-key': 'one' } }
  const first = await call('POST /sensors/', { plant: 101 }, init)
  expect((await call('POST /sensors/', { plant: 101 }, init)).body).toEqual(first.body)
  expect(world.records.sensors.count()).toBe(2)
})

test('scenarios, malformations and strict checks act on it', async () => {
  const { world, call } = open({ strict: true })
  world.useOnly(['dead-battery'])
  expect((await call('POST /sensors/sensor_fern/readings', { moisture: 5 })).status).toBe(503)
  world.useOnly([{ name: 'malformed-reply', on: 'sensors.get', at: '/moisture', kind: 'null' }])
  expect((await call('GET /sensors/sensor_fern')).body).toMatchObject({
    id: 'sensor_fern',
    moisture: null,
  })
  world.useOnly([])
  const { status, body } = await call('POST /sensors/sensor_fern/readings', {
    moisture: 'wet',
    mood: 'good',
  })
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('moisture')])
  expect(world.journal.violations().map(({ rule }) => rule)).toEqual([
    'unknown-field',
    'invalid-body',
  ])
  const header = { headers: { 'x-greenhouse-scenario': 'dead-battery' } }
  expect((await call('POST /sensors/sensor_fern/readings', { moisture: 5 }, header)).status).toBe(
    503,
  )
})

test("an operation may replace a scenario's records without changing the world's", async () => {
  const clear = defineOperation({
    id: 'plants.clear',
    method: 'POST',
    path: '/clear',
    handle: ({ records }) => ({ left: (records.plants.replace([]), records.plants.count()) }),
  })
  const { world, call } = openWith(clear)
  world.use('huge-store')
  expect((await call('POST /clear')).body).toEqual({ left: 0 })
  expect(world.records.plants.count()).toBe(30)
})

test('a handler that fails has changed nothing', async () => {
  const fail = defineOperation({
    id: 'plants.fail',
    method: 'POST',
    path: '/fail',
    handle({ records, error }) {
      records.plants.update(101, { name: 'Changed' })
      records.plants.create({ id: 9_999, name: 'New', account: 'acct_pro' })
      records.messages.delete(records.messages.find({})[0]!.id)
      records.purchases.replace([])
      throw error(409, 'It fails.')
    },
  })
  const { world, call } = openWith(fail)
  const [message] = world.records.messages.all()
  const { app } = world.records.conversations.get(message!.conversation)!
  const seen = async () => [
    (['plants', 'messages', 'purchases'] as const).map((name) => world.records[name].all()),
    (await call(`GET /v1/apps/${app}/conversations/${message!.conversation}`)).body,
  ]
  const before = await seen()
  expect((await call('POST /fail')).status).toBe(409)
  expect(await seen()).toEqual(before)
})

test('errors of a handler have the shape of their area, with a status and a code of their own', async () => {
  const reject = (area: string) =>
    defineOperation({
      id: `${area}.reject`,
      method: 'GET',
      path: '/reject',
      handle: ({ error }) => {
        throw error(409, 'Already watered.', 'already_watered')
      },
    })
  const { call } = openWith(reject('plants'), reject('apps'))
  expect(await call('GET /reject')).toMatchObject({
    status: 409,
    body: { error: 409, message: 'Already watered.' },
  })
  expect(await call('GET /v1/reject')).toMatchObject({
    status: 409,
    body: { error: { code: 'already_watered', message: 'Already watered.' } },
  })
})

test('all of a request happens at one time', async () => {
  let read = () => 0
  const slow = defineOperation({
    id: 'plants.slow',
    method: 'GET',
    path: '/slow',
    handle() {
      const before = read()
      const end = performance.now() + 5
      while (performance.now() < end);
      return { passed: read() - before }
    },
  })
  const { call, world } = openWith(slow)
  world.clock.run()
  read = () => world.clock.now()
  expect((await call('GET /slow')).body).toEqual({ passed: 0 })
})

test('an override may call what it replaces', async () => {
  const list = defineOperation({
    overrides: 'plants.list',
    handle: ({ next, reply }) => reply(200, [...(next().body as object[]), { name: 'One more' }]),
  })
  const { call, greenhouse } = openWith(list)
  const { status, body } = await call('GET /plants')
  expect([status, body.at(-1)]).toEqual([200, { name: 'One more' }])
  expect(body.length).toBeGreaterThan(1)
  expect(greenhouse.operations().filter(({ id }) => id === 'plants.list')).toHaveLength(1)
})

test('an override keeps the built-in stream and status that it leaves out', async () => {
  const { greenhouse, world, call } = openWith(
    defineOperation({
      overrides: 'messages.create',
      handle: ({ next, body }) =>
        (body as any).content === 'change' ? { ...(next().body as object) } : next(),
    }),
    defineOperation({
      overrides: 'apps.create',
      handle: ({ next }) => ({ ...(next().body as object) }),
    }),
  )
  const app = await call('POST /v1/apps', { name: 'Ours' })
  expect([app.status, app.body.name]).toEqual([201, 'Ours'])
  giveCredits({ world }, 10)
  const { body: conversation } = await call(`POST /v1/apps/${openApp}/conversations`, {})
  const path = `http://any/v1/apps/${openApp}/conversations/${conversation.id}/messages`
  const stream = (content: string) =>
    greenhouse.fetch(new Request(path, toInit('POST', { body: { content, stream: true } })))
  const reply = await stream('Hello')
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect(await reply.text()).toContain('event: message.completed')
  expect((await stream('change')).status).toBe(500)
  expect(world.journal.calls().at(-1)!.reason).toContain(
    'the built-in reply is a stream, which a handler cannot read',
  )
  takeOutput()
})

test('the query of an override is the one of strict checks and the document', async () => {
  const list = defineOperation({
    overrides: 'plants.list',
    query: z.object({ q: z.string().optional() }),
    result: z.array(z.string()),
    handle: ({ query }) => [query.q ?? ''],
  })
  const { call } = open({ plugins: [], strict: true, operations: [list] })
  expect(await call('GET /plants?q=a')).toMatchObject({ status: 200, body: ['a'] })
  expect((await call('GET /plants?page=1')).body.message).toContain(
    '"page" is not a query parameter',
  )
})

test('its events are delivered, signed and triggered as built-in ones are', async () => {
  const { world, call } = open()
  const made = await call('POST /v1/webhooks', {
    url: 'http://127.0.0.1:9/',
    events: ['sensor.dry'],
  })
  expect(made.body.events).toEqual(['sensor.dry'])
  const misspelt = await call('POST /v1/webhooks', {
    url: 'http://127.0.0.1:9/',
    events: ['sensor.dy'],
  })
  expect(misspelt.body.error.message).toContain('Did you mean "sensor.dry"?')
  await call('POST /sensors/sensor_fern/readings', { moisture: 5 })
  await world.settled()
  const [delivery] = world.records.deliveries.find({ type: 'sensor.dry' as never })
  expect(JSON.parse(delivery!.payload as unknown as string)).toMatchObject({
    type: 'sensor.dry',
    data: { id: 'sensor_fern', moisture: 5 },
  })
  await expect(world.trigger('sensor.dry')).rejects.toThrow('pass its "data"')
  expect(await world.trigger('sensor.dry', { id: 'sensor_fern' })).toHaveLength(1)
  const lose = (events: string) => world.useOnly([{ deliver: [{ kind: 'lost', events }] }])
  lose('sensor.dry')
  expect(() => lose('sensor.dri')).toThrow('Did you mean "sensor.dry"?')
})

test('its collections have fixtures, snapshots, cases and checks of relations', async () => {
  const { world, call } = open({ plugins: [], collections: [waterings] })
  expect(() =>
    world.records['waterings' as 'plants'].create({
      id: 'w_1',
      plant: '101',
      account: 'acct_none',
    } as never),
  ).toThrow('there is no account "acct_none"')
  expect(() =>
    open({
      plugins: [],
      collections: [waterings],
      fixtures: { waterings: [{ id: 'w_1', plnt: '101' }] },
    }),
  ).toThrow('Did you mean "plant"?')
  const sensors = open()
  sensors.world.snapshot('before')
  await sensors.call('DELETE /sensors/sensor_fern')
  const saved = sensors.world.toCase()
  expect(sensors.world.records.sensors.count()).toBe(0)
  sensors.world.restore('before')
  expect(sensors.world.records.sensors.count()).toBe(1)
  const again = createGreenhouse({ case: saved, plugins: [sensorPlugin()] })
  expect(again.world().records.sensors.count()).toBe(1)
  expect((await call('GET /plants')).status).toBe(200)
})

test('a collection refers to records by number too', () => {
  const pots = defineCollection({
    name: 'pots',
    schema: z.object({ id: z.string(), plant: z.int().nullable() }),
    refers: { plant: 'plants' },
  })
  const start = (plant: number | null) => {
    const data = { extends: 'default', pots: [{ id: 'pot', plant }] }
    return createGreenhouse({ collections: [pots], fixtures: data }).world().records as unknown as {
      pots: { create(values: object): object }
    }
  }
  expect(() => start(424242)).toThrow('pots.0.plant: there is no "424242" among the plants')
  expect(start(null).pots.create({ id: 'second', plant: 101 })).toEqual({
    id: 'second',
    plant: 101,
  })
  expect(() => start(101).pots.create({ id: 'third', plant: 424242 })).toThrow(
    'there is no record of "plants" "424242"',
  )
})

const waterings = defineCollection({
  name: 'waterings',
  schema: {
    type: 'object',
    properties: { id: { type: 'string' }, plant: { type: 'string' }, account: { type: 'string' } },
    required: ['id', 'plant', 'account'],
    additionalProperties: false,
  },
})

test('hooks get requests, replies, events and changes of worlds, and their errors hurt nobody', async () => {
  const seen: unknown[] = []
  using printed = vi.spyOn(console, 'error').mockReturnValue()
  const { greenhouse, world, call } = open({
    hooks: {
      onRequest: ({ method, path }) => seen.push(`${method} ${path}`),
      onReply: ({ operation, response }) => seen.push(`${operation} ${response.status}`),
      onEvent: ({ type, world: name }) => seen.push(`${type} in ${name}`),
      onWorld: ({ change, world: name }) => seen.push(`${name} ${change}`),
    },
    plugins: [
      sensorPlugin(),
      definePlugin({ name: 'broken', hooks: { onReply: () => expect.fail('broken hook') } }),
    ],
  })
  await call('POST /sensors/sensor_fern/readings', { moisture: 5 })
  world.reset()
  greenhouse.deleteWorld('default')
  greenhouse.world('other')
  greenhouse.deleteWorld('other')
  greenhouse.close()
  expect(seen).toEqual([
    'POST /sensors/sensor_fern/readings',
    'sensor.dry in default',
    'sensors.report 200',
    'default reset',
    'default reset',
    'other created',
    'other deleted',
    'default deleted',
  ])
  expect(printed).toHaveBeenCalledWith(
    'The hook onReply failed:',
    expect.objectContaining({ message: 'broken hook' }),
  )
  printed.mockImplementationOnce(() => expect.fail('It cannot be shown.'))
  await open({ hooks: { onReply: () => expect.fail('odd') } }).call('GET /plants')
  expect(printed.mock.lastCall).toEqual(['The hook onReply failed:', 'odd'])
})

test('an event of a handler that then throws has not happened', async () => {
  const seen: string[] = []
  const operation = defineOperation({
    id: 'plants.break',
    method: 'POST',
    path: '/break',
    emits: { 'pot.broken': z.object({}) },
    handle: ({ emit }) => {
      emit('pot.broken', {})
      throw new Error('broken handler')
    },
  })
  const { call } = open({
    hooks: { onEvent: ({ type }) => seen.push(type) },
    operations: [operation],
  })
  expect([(await call('POST /break')).status, seen]).toEqual([500, []])
  expectOutput(/broken handler/)
})

test('an assumption of a plug-in is read, and set like any other', async () => {
  const assumptions = {
    'plants.water.amount': { question: 'How much at most?', values: ['10', '50'] as const },
  }
  const operation = defineOperation({
    id: 'plants.amount',
    method: 'GET',
    path: '/amount',
    handle: ({ assume }) => ({ most: assume('plants.water.amount') }),
  })
  const plugin = definePlugin({ name: 'amounts', assumptions, operations: [operation] })
  const { world, call } = open({ plugins: [plugin] })
  expect((await call('GET /amount')).body).toEqual({ most: '10' })
  world.assume({ 'plants.water.amount': '50' } as never)
  expect((await call('GET /amount')).body).toEqual({ most: '50' })
  expect(() => world.assume({ 'plants.water.amont': '50' } as never)).toThrow(
    'Did you mean "plants.water.amount"?',
  )
})
