import { expect, test } from 'vitest'
import { createGreenhouse, malformations } from 'greenhouse-mock'
import { loadScenarios } from 'greenhouse-mock/node'
import { problemsOf } from '../support/problems.ts'
import { testApi } from '../support/test-api.ts'
import { expectMalformed, resultOf } from './contract.ts'

test('malformations are listed as options of malformed-reply, with whether they break the schema', () => {
  expect(malformations('plants.list').filter(({ options }) => options.at === '/0/tag')).toEqual([
    {
      name: 'malformed-reply',
      options: { on: 'plants.list', at: '/0/tag', kind: 'missing' },
      breaks: false,
    },
    {
      name: 'malformed-reply',
      options: { on: 'plants.list', at: '/0/tag', kind: 'null' },
      breaks: true,
    },
    {
      name: 'malformed-reply',
      options: { on: 'plants.list', at: '/0/tag', kind: 'wrong-type' },
      breaks: true,
    },
    {
      name: 'malformed-reply',
      options: { on: 'plants.list', at: '/0/tag', kind: 'empty' },
      breaks: false,
    },
    {
      name: 'malformed-reply',
      options: { on: 'plants.list', at: '/0/tag', kind: 'huge' },
      breaks: false,
    },
  ])
})

test('an operation whose replies have no body has no malformations', () => {
  expect(malformations('plants.delete')).toEqual([])
})

test('an unknown operation is refused with the near one', () => {
  expect(() => malformations('plants.lst')).toThrow(
    'Failed to list malformations of "plants.lst": there is no such operation. Did you mean "plants.list"?',
  )
})

/** Options of malformed-reply that no reply can have, and what is said of them. */
const impossible: [options: Record<string, string>, message: string][] = [
  [
    { at: '/0/nme' },
    '"/0/nme": a reply of plants.list has nothing at "/0/nme". Did you mean "/0/name"?',
  ],
  [
    { on: 'plants.delete', at: '' },
    'on: can\'t be "plants.delete": a reply of plants.delete has no body to malform',
  ],
  [
    { at: '', kind: 'missing' },
    'kind: can\'t be "missing": "" can\'t be missing: the whole reply can\'t be left out',
  ],
  [
    { kind: 'odd' },
    'kind: expected one of "missing", "null", "wrong-type", "empty", "huge", "extra", "bad-enum", "out-of-range", "bad-utf8", "duplicate", received "odd".',
  ],
]

for (const [options, message] of impossible)
  test(`malformed-reply is refused with ${JSON.stringify(options)}`, () => {
    expect(() => createGreenhouse().world().use('malformed-reply', options)).toThrow(message)
  })

/** One malformation of each kind for both lists, breaking and legal. */
const sample = ['plants.list', 'apps.list'].flatMap((id) => [
  ...new Map(
    malformations(id).map((malformation) => [
      `${malformation.options.kind} ${malformation.breaks}`,
      malformation,
    ]),
  ).values(),
])

testApi('malformations arrive as they are', async ({ world, call }) => {
  const sound = {
    'plants.list': await call('GET', '/plants'),
    'apps.list': await call('GET', '/v1/apps'),
  }
  for (const { name, options, breaks } of sample) {
    const { status, body } = sound[options.on as keyof typeof sound]
    world.use(name, options)
    const malformed = await call('GET', options.on === 'plants.list' ? '/plants' : '/v1/apps')
    expect(malformed.status).toBe(status)
    expectMalformed(body, malformed.body, { ...options, breaks }, resultOf(options.on))
    world.clear()
  }
})

const head = 'title: T\ndescription: D\ncovers: C\nmalform:\n'

/** Malformations that can't be, and the problem of each. */
const mistakes: Readonly<Record<string, string>> = {
  '{ on: plants.list, at: /0/nme, kind: missing }':
    '5:24: malform.0.at: a reply of plants.list has nothing at "/0/nme". Did you mean "/0/name"?',
  '{ on: plants.list, at: /3/nme, kind: missing }': 'nothing at "/3/nme". Did you mean "/0/name"?',
  '{ on: plants.list, at: /12345/nme, kind: missing }': 'Did you mean "/0/name"?',
  '{ on: deliveries.list, at: /data/0/attempt/0/status, kind: missing }':
    'nothing at "/data/0/attempt/0/status". Did you mean "/data/0/attempts/0/status"?',
  '{ on: plants.list, at: /name, kind: missing }': 'nothing at "/name". Did you mean "/0/name"?',
  '{ on: plants.list, at: /some/where/else/name, kind: missing }': 'Did you mean "/0/name"?',
  '{ on: apps.list, at: /0/name, kind: missing }':
    'nothing at "/0/name". Did you mean "/data/0/name"?',
  '{ on: plants.create, at: /0/name, kind: missing }':
    'a reply of plants.create has nothing at "/0/name"',
  '{ on: plants.list, field: nam, kind: missing }':
    '5:24: malform.0.field: a reply of plants.list has no field "nam". Did you mean "name"?',
  '{ on: apps.list, field: nmae, kind: missing }':
    'a reply of apps.list has no field "nmae". Did you mean "name"?',
  '{ on: apps.list, field: date.name, kind: missing }':
    'has no field "date.name". Did you mean "data.name"?',
  '{ on: [plants.list, plants.create], at: /tags, kind: missing }':
    'a reply of plants.list or plants.create has nothing at "/tags". Did you mean "/tag"?',
  '{ on: plants.delete, at: /name, kind: missing }':
    '5:7: malform.0.on: a reply of plants.delete has no body',
  '{ on: ["*", plants.delete], field: name, kind: missing }':
    '5:17: malform.0.on.1: a reply of plants.delete has no',
  '{ on: plants.list, at: /0/name, kind: bad-enum }':
    '5:37: malform.0.kind: "/0/name" can\'t be bad-enum: the contract does not limit it to a list of values',
  '{ on: plants.list, at: /0/name, kind: out-of-range }':
    "can't be out-of-range: the contract sets no bounds for it",
  '{ on: plants.list, at: /0/name, kind: duplicate }':
    "can't be duplicate: it is neither an array nor an item of one",
  '{ on: apps.list, at: /has_more, kind: bad-utf8 }': "can't be bad-utf8: it is not a string",
  '{ on: plants.list, kind: missing }':
    '5:5: malform.0: expected either "at: <JSON pointer>" or "field: <name>"',
  '{ on: plants.list, at: /0, field: name, kind: missing }':
    'expected either "at: <JSON pointer>" or "field: <name>"',
  '{ on: plants.lst, at: /0/nme, kind: missing }':
    'no operation is called "plants.lst". Did you mean "plants.list"?',
}

const sound = [
  '{ on: plants.list, at: /7/name, kind: missing }',
  '{ on: deliveries.list, at: /data/0/payload/data/app/name, kind: missing }',
  '{ on: [plants.list, plants.create], at: /tag, kind: missing }',
  '{ on: apps.list, at: /data/0, kind: duplicate }',
  '{ on: plants.list, at: /0, kind: duplicate }',
  '{ on: apps.list, field: created_at, kind: out-of-range }',
  '{ on: plants.l*, at: /0/id, kind: missing }',
  '{ on: [plants.l*, plants.create], at: /0/id, kind: missing }',
  '{ at: /0/id, kind: missing }',
]

const problemsWith = (text: string) =>
  problemsOf({ 'own.yaml': `${head}  - ${text}\n` }, loadScenarios)

test.each(Object.entries(mistakes))('malform: %s is a problem with its place', (text, problem) => {
  expect(problemsWith(text)).toEqual([expect.stringContaining(problem)])
})

test.each(sound)('malform: %s is sound', (text) => expect(problemsWith(text)).toEqual([]))
