import { expect, test } from 'vitest'
import * as z from 'zod'
import { createGreenhouse } from 'greenhouse-mock'
import { defineCollection, defineOperation, definePlugin } from 'greenhouse-mock/config'
import { sensorPlugin } from '../../examples/plug-in/sensors.ts'

const operation = (changes: object = {}) =>
  defineOperation({
    id: 'plants.water',
    method: 'POST',
    path: '/water',
    handle: () => undefined,
    ...changes,
  } as never)
const collection = (changes: object = {}) =>
  defineCollection({ name: 'waterings', schema: z.object({ id: z.string() }), ...changes } as never)
const add = (...operations: ReturnType<typeof operation>[]) => createGreenhouse({ operations })
const addCollection = (changes: object) => createGreenhouse({ collections: [collection(changes)] })
const addPlugin = (definition: object) =>
  createGreenhouse({ plugins: [definePlugin(definition as never)] })
const assuming = (name: string, values: string[]) =>
  addPlugin({ name: 'x', assumptions: { [name]: { question: 'Why?', values } } })
const account = { id: 'acct_a', name: 'A', email: 'a@example.com', plan: 'pro' } as const
const keys = [{ secret: 'key_a', account: 'acct_a', scopes: ['plants:write'] }]
const ofA = (a: object) => ({ type: 'object', properties: { a } })
const wrongPaths = [
  'water',
  '/__greenhouse/x',
  '/~w/x',
  '/{id}/{id}',
  '/{__proto__}',
  '/plants/../x',
  '/plants/./x',
  '/plants/..',
]

type Mistake = () => unknown

/** JSON Schemas of bodies that say less than they seem to, by the words of the error. */
const bodies: Readonly<Record<string, object>> = {
  'has "required", but no "aa" in its "properties". Did you mean "a"?': {
    ...ofA({}),
    required: ['aa'],
  },
  'has "required", but no "x" in its "properties".': { type: 'object', required: ['x'] },
  'has "properties", which has no effect without "type": "object".': {
    properties: { a: { type: 'number' } },
  },
  'has "propertes", a keyword that Greenhouse does not know. Did you mean "properties"?': {
    propertes: {},
  },
  'has "constructor", a keyword that Greenhouse does not know.': { constructor: {} },
  'has "properties.a.minItems", which has no effect without "items".': ofA({
    type: 'array',
    minItems: 1,
  }),
  'has "properties.a.minimum", which has no effect without "type": "number" or "integer".': ofA({
    minimum: 5,
  }),
  'has "properties.a.minimum", which takes a number.': ofA({ type: 'number', minimum: '5' }),
  'has "properties.a.minimum", which has no effect beside "$ref".': {
    ...ofA({ $ref: '#/$defs/b', minimum: 5 }),
    $defs: { b: { type: 'number' } },
  },
  'has "properties.a.items.anyOf.0.maxLength", which': ofA({
    type: 'array',
    items: { anyOf: [{ maxLength: 1 }] },
  }),
  'has "allOf.0.required", which has no effect without "type": "object".': {
    allOf: [{ required: ['a'] }],
  },
  'has "anyOf", which has no effect beside "allOf".': { anyOf: [{}], allOf: [{}] },
  'has "additionalProperties", which has no effect beside "allOf"': {
    ...ofA({}),
    additionalProperties: false,
    allOf: [{}],
  },
}

/** JSON Schemas of which Zod reads every keyword, although not all of them as they are written. */
const enforced: readonly object[] = [
  { ...ofA({ type: 'string', enum: ['x', 'y'] }), required: ['a'] },
  ofA({ type: 'array', items: {}, uniqueItems: false, maxItems: 2 }),
  { type: 'object', patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
  { type: 'object', propertyNames: { maxLength: 5 }, additionalProperties: true },
  { ...ofA({ $ref: '#/$defs/b' }), $defs: { b: ofA({ $ref: '#/$defs/b' }) } },
  { ...ofA({ type: 'string', default: 'x' }), required: ['a'] },
  ofA({ type: 'integer', maximum: Number.MAX_SAFE_INTEGER }),
  ofA({ type: 'number', minimum: 1, exclusiveMinimum: 0 }),
]

test.each(enforced)('the JSON Schema %j of a body is accepted', (body) => {
  expect(() => add(operation({ body }))).not.toThrow()
})

const mistakes: Readonly<Record<string, Mistake | Mistake[]>> = {
  'pth: there is no such option; expected one of id': () => operation({ pth: '/water' }),
  'Did you mean "path"?': () => operation({ pth: '/water' }),
  'id: expected an id: <resource>.<verb>': () => operation({ id: 'water' }),
  'method: expected one of "GET"': () => operation({ method: 'post' }),
  'method is missing: expected one of "GET"': () => operation({ method: undefined }),
  'path: expected a path below the base': wrongPaths.map((path) => () => operation({ path })),
  'its path /v1/x is below /v1, the base of the area "apps"': () =>
    add(operation({ path: '/v1/x' })),
  'have "idd", which its path /water/{id} does not have. Did you mean "id"?': () =>
    add(operation({ path: '/water/{id}', params: z.object({ idd: z.int() }) })),
  'scope: expected a scope': () => operation({ scope: 'water' }),
  'status: expected a status from 200 to 399': () => operation({ status: 404 }),
  'errors.0: expected a list of statuses': () => operation({ errors: [200] }),
  'handle: expected a function that answers a request in one step': () =>
    operation({ handle: async () => [] }),
  'its scope "plants:wirte". Did you mean "plants:write"?': () =>
    add(operation({ scope: 'plants:wirte' })),
  'handle is missing': () => operation({ handle: undefined }),
  'an operation that overrides "plants.list" has its id, method': () =>
    operation({ overrides: 'plants.list' }),
  'has its id': () =>
    defineOperation({ overrides: 'plants.list', id: 'plants.all', handle: () => [] }),
  'cannot be sent, because the method is GET': () =>
    add(operation({ method: 'GET', body: z.object({}) })),
  'the schema of an object: every body is one': () => add(operation({ body: z.array(z.string()) })),
  'a reply with the status 204 has no body': () =>
    add(operation({ status: 204, result: z.object({}) })),
  'it takes one argument': () =>
    (defineOperation as Function)({ overrides: 'plants.list', handle() {} }, {}),
  'there is no area "plnts", only plants, apps. Did you mean "plants"?': () =>
    add(operation({ area: 'plnts' })),
  'there are two of this name': [
    () => add(operation(), operation()),
    () => add(operation({ id: 'plants.list' })),
  ],
  '"plants.delete" has DELETE /plants/{id} already': () =>
    add(operation({ method: 'DELETE', path: '/plants/{x}' })),
  'Failed to override the operation "plants.lst": there is no such operation. Did you mean "plants.list"?':
    () => add(defineOperation({ overrides: 'plants.lst', handle: () => [] })),
  'no key names its scope "plants:wrte". Did you mean "plants:write"?': () =>
    createGreenhouse({
      operations: [operation({ scope: 'plants:wrte' })],
      fixtures: { accounts: [account], keys },
    }),
  'cannot be documented: Date cannot be represented': () =>
    add(operation({ body: z.object({ at: z.date() }) })),
  'is not a JSON Schema that Greenhouse can read': () =>
    add(operation({ body: { type: 'strng' } })),
  ...Object.fromEntries(
    Object.entries(bodies).map(([message, body]) => [message, () => add(operation({ body }))]),
  ),
  'is a schema of another library': () => add(operation({ body: { _def: {} } })),
  'takes the schema of an object': () => add(operation({ query: z.string() })),
  'must look like "plant.watered"': () => add(operation({ emits: { watered: z.object({}) } })),
  'Greenhouse has an event of this name': () =>
    add(operation({ emits: { 'plant.created': z.object({}) } })),
  'operations.0: expected a list of what': () => createGreenhouse({ operations: [{} as never] }),
  'plugins.0: expected a list of what': () =>
    createGreenhouse({ plugins: [sensorPlugin as never] }),
  'the plug-in "greenhouse-sensors"': () =>
    createGreenhouse({ plugins: [sensorPlugin(), sensorPlugin()] }),
  'hooks.onRepl: there is no such option': () =>
    createGreenhouse({ hooks: { onRepl() {} } as never }),
  'its schema has no field "di"': () => addCollection({ key: 'di' }),
  'there is no collection "plnts". Did you mean "plants"?': () =>
    addCollection({ refers: { id: 'plnts' } }),
  'Failed to add the collection "plants"': () => addCollection({ name: 'plants' }),
  'operation: there is no such option': () => definePlugin({ name: 'x', operation: [] } as never),
  'assumptions.a.b.values: expected a list of texts': () => assuming('a.b', []),
  'name: expected a name': [
    () => collection({ name: 'extends' }),
    () => collection({ name: 'constructor' }),
  ],
  'the assumption "plants.delete.unknown": there are two of this name.': () =>
    assuming('plants.delete.unknown', ['1']),
  'its base path /plants hides "plants.create"': () =>
    addPlugin({ name: 'x', areas: [{ name: 'plants2', base: '/plants' }] }),
  'name is missing': [() => addPlugin({}), () => addPlugin({ name: 'x', areas: [{}] })],
  'areas.0.base: expected a path': () =>
    addPlugin({ name: 'x', areas: [{ name: 'shop', base: 'shop' }] }),
  'the plug-in shop: plants.0.nmae: there is no such field; expected one of': () =>
    addPlugin({
      name: 'shop',
      fixtures: { plants: [{ id: 1, name: 'x', account: 'acct_pro', nmae: 1 }] },
    }),
}

test.each(Object.entries(mistakes))('%s', (message, given) => {
  for (const mistake of [given].flat()) expect(mistake).toThrow(message)
})

test('a JSON Schema whose keywords all have an effect is accepted', () => {
  const b = {
    type: ['integer', 'null'],
    format: 'int64',
    minimum: 1,
    title: 'b',
    examples: [{ propertes: 1 }],
  }
  const list = {
    type: 'array',
    items: { $ref: '#/$defs/b', description: 'b' },
    minItems: 1,
    'x-order': 1,
  }
  const pair = {
    type: 'array',
    prefixItems: [{ type: 'string', enum: ['a', 'b'] }, { const: { a: 1 } }],
    maxItems: 2,
  }
  const map = {
    type: 'object',
    propertyNames: { pattern: '^a' },
    additionalProperties: { anyOf: [list, pair] },
  }
  const body = {
    type: 'object',
    properties: { map, minItems: true },
    required: ['map'],
    $defs: { b },
  }
  expect(() =>
    add(operation({ body: { ...body, anyOf: [ofA({}), { type: 'object' }] } })),
  ).not.toThrow()
})
