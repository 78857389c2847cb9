import { expect, test } from 'vitest'
import * as z from 'zod'
import { createGreenhouse } from 'greenhouse-mock'
import { replayCase } from 'greenhouse-mock'
import { defineCollection, defineOperation } from 'greenhouse-mock/config'
import { takeOutput } from '../support/output.ts'
import { open as openGreenhouse } from '../support/test-api.ts'

const waterings = defineCollection({
  name: 'waterings',
  schema: z.object({ id: z.string(), account: z.string(), liters: z.number() }),
})

function open(options: object) {
  const operations = [
    defineOperation({
      id: 'plants.water',
      method: 'POST',
      path: '/plants/{plant}/water',
      ...options,
    } as never),
  ]
  const { call: send, world } = openGreenhouse({ operations, collections: [waterings] })
  const call = async (path: string, body?: object) => {
    const { status, body: answer } = await send('POST', path, { body })
    const { reason, violations } = world.journal.calls().at(-1)!
    return { status, body: answer, reason, violations }
  }
  return { world, call, operations }
}

test('a path parameter keeps the name from its path, whatever other paths call theirs', async () => {
  const { call } = open({
    params: z.object({ plant: z.string() }),
    handle: ({ params }: any) => params,
  })
  expect(await call('/plants/kitchen/water')).toMatchObject({
    body: { plant: 'kitchen' },
    violations: undefined,
  })
  const untyped = open({ handle: ({ params }: any) => params })
  expect(await untyped.call('/plants/kitchen/water')).toMatchObject({
    body: { plant: 'kitchen' },
    violations: undefined,
  })
})

test('a query takes lists', async () => {
  const query = z.object({ pot: z.array(z.int()) })
  const { call } = open({ query, handle: ({ query: { pot } }: any) => pot })
  expect((await call('/plants/1/water?pot=1&pot=2')).body).toEqual([1, 2])
  expect((await call('/plants/1/water?pot=x')).status).toBe(400)
  const pair = open({ query: z.object({ pot: z.array(z.string()).min(2) }), handle: () => ({}) })
  expect(await pair.call('/plants/1/water?pot=a&pot=b')).toMatchObject({
    status: 200,
    violations: undefined,
  })
})

test.each<[what: string, schema: object, text: string, value: unknown]>([
  ['a nullable number', z.int().nullable(), '5', 5],
  ['a nullish number', z.int().nullish(), '5', 5],
  ['one of two numbers', z.union([z.literal(5), z.literal(6)]), '6', 6],
  ['a word or a number', z.union([z.literal('all'), z.int()]), '5', 5],
  ['a word or a number', z.union([z.literal('all'), z.int()]), 'all', 'all'],
  ['a string or a number', z.union([z.string(), z.int()]), '5', '5'],
  ['a nullable boolean', z.boolean().nullable(), 'true', true],
])('a parameter of %s is converted', async (_, schema, text, value) => {
  const query = z.object({ a: schema as z.ZodType })
  const { call } = open({ query, handle: ({ query: { a } }: any) => ({ a }) })
  expect((await call(`/plants/1/water?a=${text}`)).body).toEqual({ a: value })
})

test.each([
  { type: ['integer', 'null'] },
  { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  { enum: [5, 6] },
])('a parameter of the JSON Schema %j is converted', async (schema) => {
  const params = { type: 'object', properties: { plant: schema }, required: ['plant'] }
  const { call } = open({ params, handle: ({ params: { plant } }: any) => ({ plant }) })
  expect((await call('/plants/5/water')).body).toEqual({ plant: 5 })
})

test.each<[schema: z.ZodType, text: string, message: string]>([
  [z.string().transform(BigInt), 'abc', 'plant is not valid: Cannot convert abc to a BigInt.'],
  [z.string().regex(/^a/), 'x', 'plant must match /^a/.'],
  [z.iso.date(), '2027-02-29', 'plant must be a date, such as 2026-01-31.'],
  [z.uuid(), 'x', 'plant must be a string in the format "uuid".'],
  [z.string().startsWith('p_'), 'x', 'plant must be a string that begins with "p_".'],
  [
    z.string().endsWith('_p').nullable(),
    'x',
    'plant must be a string that ends with "_p" or null.',
  ],
  [z.lazy(() => z.email()), 'x', 'plant must be an email address.'],
  [z.string().includes('-'), 'x', 'plant must be a string that has "-" in it.'],
  [z.iso.date().nullable(), 'x', 'plant must be a date, such as 2026-01-31 or null.'],
  [z.union([z.uuid(), z.int()]), 'x', 'plant must be a string in the format "uuid" or an integer.'],
  [z.int().min(1).max(5).default(2), '9', 'plant must be an integer from 1 to 5.'],
  [z.union([z.literal('all'), z.int()]), 'x', 'plant must be "all" or an integer.'],
])('a parameter that is wrong is named: case %$', async (schema, text, message) => {
  const { call } = open({ params: z.object({ plant: schema }), handle: () => ({}) })
  expect(await call(`/plants/${text}/water`)).toMatchObject({ status: 400, body: { message } })
  const query = open({ query: z.object({ plant: schema }), handle: () => ({}) })
  expect(await query.call(`/plants/1/water?plant=${text}`)).toMatchObject({
    status: 400,
    body: { message },
  })
})

test.each([
  [z.object({ liters: z.number() }).optional(), undefined],
  [z.object({ liters: z.number() }).default({ liters: 3 }), { liters: 3 }],
])('a body may be left out if its schema says so: case %$', async (body, taken) => {
  const handle = (context: { body?: unknown }) => ({ taken: context.body ?? null })
  const { call } = open({ body, handle })
  expect(await call('/plants/1/water')).toMatchObject({
    status: 200,
    body: { taken: taken ?? null },
    violations: undefined,
  })
  expect((await call('/plants/1/water', { liters: 5 })).body).toEqual({ taken: { liters: 5 } })
  expect((await call('/plants/1/water', {})).body.message).toBe('liters is required.')
})

test.each([
  [z.preprocess((body: any) => ({ liters: Number(body.liters) }), z.object({}))],
  [z.any().refine((body) => body.liters === 5)],
  [z.any().refine(async () => true)],
  [z.any()],
  [z.union([z.any(), z.object({})])],
])('a body is required if its schema only takes nothing by chance: case %$', async (body) => {
  const { call } = open({ body, handle: () => ({}) })
  expect(await call('/plants/1/water')).toMatchObject({
    status: 400,
    body: { message: 'The body is missing: expected a JSON object.' },
  })
})

test.each([
  [z.object({ platform: z.string().optional() })],
  [z.object({ platform: z.string() }).optional()],
])('a body that may be left out still may be where it is overridden: case %$', async (body) => {
  const operations = [
    defineOperation({
      overrides: 'conversations.create',
      body,
      handle: ({ next }: any) => next(),
    } as never),
  ]
  const { call } = openGreenhouse({ operations })
  const { data } = (await call('GET', '/v1/apps')).body
  expect((await call('POST', `/v1/apps/${data[0].id}/conversations`)).status).toBe(201)
})

test('a wrong part of a body is named, also if its schema does not name its parts', async () => {
  const body = z.object({ pair: z.tuple([z.strictObject({ a: z.string() })]) })
  const { call, world } = open({ body, handle: () => ({}) })
  const told = async (...pair: object[]) =>
    (await call('/plants/1/water', { pair })).body.message as string
  expect(await told({ a: 5 })).toBe('pair[0].a is not valid.')
  expect(await told({ a: 'x', b: 1 })).toBe('there is no field "pair[0].b".')
  const list = z.object({ list: z.array(z.object({ a: z.string() })) })
  const other = open({ body: list, handle: () => ({}) })
  other.world.assume('plants.create.unknown-fields', 'reject')
  const sent = { list: [{ a: 'x' }, { a: 'y', b: 1 }] }
  expect((await other.call('/plants/1/water', sent)).body.message).toMatch(
    /^"list\[1\]\.b" is not a field of this request/,
  )
  expect(world.journal.calls()).toHaveLength(2)
})

test.each([
  [z.string().regex(/^a/), 'x', 'name: expected a different format, received "x"'],
  [z.int().multipleOf(5), 7, 'name: is not valid'],
  [z.string().refine(() => false), 'x', 'name: is not valid'],
])('a record of a fixture that its schema refuses is named: case %$', (name, value, message) => {
  const tools = defineCollection({ name: 'tools', schema: z.object({ id: z.string(), name }) })
  const fixtures = { tools: [{ id: 'a', name: value }] }
  expect(() => createGreenhouse({ collections: [tools], fixtures } as never)).toThrow(message)
})

test.each([
  ['TypeError', true],
  ['MyTypeError', false],
  ['TypeErrors', false],
])('an error of a check with the name %s keeps its own stack: %s', (name, isKept) => {
  const schema = z.object({
    id: z.string().refine(function brokenCheck() {
      throw Object.assign(new Error('mine'), { name })
    }),
  })
  const { world } = openGreenhouse({ collections: [defineCollection({ name: 'tools', schema })] })
  const records = world.records as never as { tools: { create(record: object): object } }
  let stack: string | undefined
  try {
    records.tools.create({ id: 'a' })
  } catch (error) {
    stack = (error as Error).stack
  }
  expect(stack?.includes('brokenCheck')).toBe(isKept)
})

test('any value that the check of a schema throws reaches the caller of create', () => {
  const thrown = Object.freeze(new Error('mine'))
  for (const error of [thrown, 'a text']) {
    const schema = z.object({
      id: z.string().refine(() => {
        throw error
      }),
    })
    const tools = defineCollection({ name: 'tools', schema })
    const { world } = openGreenhouse({ collections: [tools] })
    const records = world.records as never as { tools: { create(record: object): object } }
    let caught: unknown
    try {
      records.tools.create({ id: 'a' })
    } catch (found) {
      caught = found
    }
    expect(caught).toBe(error)
  }
})

const circle: Record<string, unknown> = {}
circle['circle'] = circle

test.each<[what: string, options: object, reason: RegExp]>([
  [
    'nothing',
    { result: z.object({ a: z.int() }), handle() {} },
    /it returned nothing, and has a "result"/,
  ],
  [
    'a field that the result does not have',
    { result: z.object({ a: z.object({ b: z.int() }) }), handle: () => ({ a: { b: 1, c: 2 } }) },
    /its reply has the field "a\.c", which "result" does not have/,
  ],
  [
    'an error',
    { handle: ({ error }: any) => error(404, 'x') },
    /it returned an error\. Throw it\./,
  ],
  ['a circle', { handle: () => circle }, /its reply cannot be written as JSON/],
  [
    'another type',
    { result: z.object({ a: z.string() }), handle: () => ({ a: 1 }) },
    /"result": a must be a string\./,
  ],
  ['a promise', { handle: () => Promise.resolve({}) }, /it is asynchronous/],
  ['a Response', { handle: () => new Response() }, /it returned a Response/],
  [
    'with the status 99',
    { handle: ({ reply }: any) => reply(99) },
    /it replied with the status 99/,
  ],
  [
    'what it overrides, but overrides none',
    { handle: ({ next }: any) => next() },
    /the operation overrides none/,
  ],
  [
    'with a misspelt event',
    { handle: ({ emit }: any) => emit('plant.crated', {}) },
    /Did you mean "plant\.created"\?/,
  ],
  [
    'with an unknown assumption',
    { handle: ({ assume }: any) => assume('nothing') },
    /there is no such assumption/,
  ],
  [
    'nothing, because of a bug',
    { handle: ({ no }: any) => no.such.field },
    /Cannot read properties of undefined/,
  ],
  [
    'a function',
    { handle: () => () => 1 },
    /its reply cannot be written as JSON: it is a function/,
  ],
  [
    'with the data of an event that do not fit',
    {
      emits: { 'plant.watered': z.object({ l: z.int() }) },
      handle: ({ emit }: any) => emit('plant.watered', { l: 'x' }),
    },
    /Failed to emit the event "plant\.watered": l must be an integer/,
  ],
  [
    'with a collection that is not there',
    { handle: ({ collection }: any) => collection({ name: 'waterngs' }).all() },
    /Failed to use the collection "waterngs": this Greenhouse does not have it/,
  ],
])(
  'a handler that returns %s is a 500 that says so, and what it wrote is undone',
  async (_, options, reason) => {
    const { handle } = options as { handle: (context: any) => unknown }
    const { world, call } = open({
      ...options,
      handle(context: any) {
        context.records.plants.create({ id: 5_555, name: 'x', account: 'acct_pro' })
        return handle(context)
      },
    })
    const { status, body, reason: found } = await call('/plants/1/water')
    // The console has the stack of what was thrown.
    takeOutput()
    expect([status, body]).toEqual([
      500,
      { error: 500, message: 'Something went wrong on our side.' },
    ])
    expect(found).toMatch(/^The handler of the operation "plants\.water" failed: /)
    expect(found).toMatch(reason)
    expect(world.records.plants.get(5_555)).toBeUndefined()
  },
)

test.each<[schema: object, value: number, rule: string]>([
  [{ type: 'integer', minimum: 1 }, 1.5, 'an integer of at least 1'],
  [{ type: 'integer', multipleOf: 2 }, 3, 'an integer, a multiple of 2'],
  [
    { type: 'number', minimum: 1, multipleOf: 0.5 },
    1.2,
    'a number of at least 1, a multiple of 0.5',
  ],
  [{ type: 'number', exclusiveMinimum: 0 }, 0, 'a number of more than 0'],
  [{ type: 'number', exclusiveMaximum: 5 }, 5, 'a number of less than 5'],
  [{ type: 'number', exclusiveMinimum: 0, maximum: 5 }, 0, 'a number of more than 0 and at most 5'],
  [
    { type: 'number', minimum: 0, exclusiveMaximum: 5 },
    5,
    'a number of at least 0 and less than 5',
  ],
])(
  'a number that the JSON Schema %j refuses, %d, gets the whole rule',
  async (schema, liters, rule) => {
    const body = { type: 'object', properties: { liters: schema }, required: ['liters'] }
    const { call } = open({ body, handle: () => ({}) })
    expect((await call('/plants/1/water', { liters })).body.message).toBe(`liters must be ${rule}.`)
  },
)

test('a schema whose check throws is a 500, and the journal stays readable', async () => {
  const body = z.object({ a: z.int() }).refine(() => {
    throw new Error('broken check')
  })
  const { call } = open({ body, handle: () => ({}) })
  expect(await call('/plants/1/water', { a: 1 })).toMatchObject({
    status: 500,
    reason: expect.stringContaining('broken check'),
  })
  expect(takeOutput().join()).toContain(
    'Greenhouse failed to answer a request: Error: broken check',
  )
})

test('an unknown field of a record is refused', () => {
  const { world } = open({ handle: () => ({}) })
  const record = { id: 'w1', account: 'acct_pro', liters: 2, litres: 3 }
  expect(() => world.records['waterings' as 'plants'].create(record as never)).toThrow('litres')
})

test('a handler writes its own scopes while a scenario replaces the keys', async () => {
  const made = { secret: 'key_made', account: 'acct_pro', scopes: ['plants:water'] }
  const { call, world } = open({
    scope: 'plants:water',
    handle: (at: any) => at.records.keys.create(made).scopes,
  })
  world.use({ title: 'no keys', records: [{ collection: 'keys', keep: 'none' }] })
  expect(await call('/plants/1/water')).toMatchObject({ status: 200, body: made.scopes })
})

test('a record of an own collection is not taken for one of ours that waits', () => {
  const waits = defineCollection({
    name: 'waits',
    schema: z.object({ id: z.string(), state: z.string() }),
  })
  const { records } = createGreenhouse({ collections: [waits] }).world()
  const record = { id: 'w1', state: 'pending_dns' }
  expect(records['waits' as 'plants'].create(record as never)).toEqual(record)
})

test('a case of such a world is replayed with the same operations and collections', async () => {
  const { world, call, operations } = open({
    handle: ({ collection, id, caller }: any) =>
      collection(waterings).create({ id: id('watering'), account: caller.account.id, liters: 2 }),
  })
  expect((await call('/plants/1/water')).status).toBe(200)
  const { greenhouse, differences } = await replayCase(world.toCase(), {
    operations,
    collections: [waterings],
  })
  expect(differences).toEqual([])
  expect(greenhouse.world().records['waterings' as 'plants'].all()).toHaveLength(1)
})
