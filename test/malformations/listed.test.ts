import { expect, test } from 'vitest'
import { createGreenhouse, malformations } from 'greenhouse-mock'

test('malformations are listed as options of malformed-reply, with whether they break the schema', () => {
  expect(malformations('plants.list').filter(({ options }) => options.at === '/0/tag')).toEqual([
    { name: 'malformed-reply', options: { on: 'plants.list', at: '/0/tag', kind: 'missing' }, breaks: false },
    { name: 'malformed-reply', options: { on: 'plants.list', at: '/0/tag', kind: 'null' }, breaks: true },
    { name: 'malformed-reply', options: { on: 'plants.list', at: '/0/tag', kind: 'wrong-type' }, breaks: true },
    { name: 'malformed-reply', options: { on: 'plants.list', at: '/0/tag', kind: 'empty' }, breaks: false },
    { name: 'malformed-reply', options: { on: 'plants.list', at: '/0/tag', kind: 'huge' }, breaks: false },
  ])
})

test('an operation whose replies have no body has no malformations', () => {
  expect(malformations('plants.delete')).toEqual([])
})

test('an unknown operation is refused with the near one', () => {
  expect(() => malformations('plants.lst')).toThrow(
    new RangeError(
      'Failed to list malformations of "plants.lst": there is no such operation. Did you mean "plants.list"?',
    ),
  )
})

/** Options of malformed-reply that no reply can have, and what is said of them. */
const impossible: [options: Record<string, string>, message: string][] = [
  [
    { at: '/0/nme' },
    'the option "at" can\'t be "/0/nme": a reply of plants.list has nothing at "/0/nme". Did you mean "/0/name"?',
  ],
  [
    { on: 'plants.delete', at: '' },
    'the option "on" can\'t be "plants.delete": a reply of plants.delete has no body to malform',
  ],
  [
    { at: '', kind: 'missing' },
    'the option "kind" can\'t be "missing": "" can\'t be missing: the whole reply can\'t be left out',
  ],
  [
    { kind: 'odd' },
    'the option "kind" takes one of "missing", "null", "wrong-type", "empty", "huge", "extra", "bad-enum", "out-of-range", "bad-utf8", "duplicate"; "odd" was given.',
  ],
]

for (const [options, message] of impossible)
  test(`malformed-reply is refused with ${JSON.stringify(options)}`, () => {
    expect(() => createGreenhouse().world().use('malformed-reply', options)).toThrow(message)
  })
