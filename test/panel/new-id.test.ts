import { expect, test } from 'vitest'
import { copyId, nextInteger, suggestId } from '../../src/panel/views/data/queries.ts'
import type { Api } from '../../src/panel/data/api.ts'
import type { CollectionSummary, JsonSchema } from '../../src/panel/data/shapes.ts'

const collectionOf = (field: JsonSchema, more: Partial<CollectionSummary> = {}) =>
  ({
    name: 'things',
    id: 'id',
    schema: { properties: { id: field } },
    relations: {},
    has_secrets: false,
    ...more,
  }) as CollectionSummary

/** A control API with records of these ids, the greatest first. */
const apiWith = (ids: readonly unknown[], keys: readonly string[] = []) =>
  ({
    records: async (_: string, __: string, { where = {} }: { where?: Record<string, string> } = {}) => ({
      data: ids.filter((id) => where['id'] === undefined || String(id) === where['id']).map((id) => ({ id })),
    }),
    keys: async () => keys.map((name) => ({ name })),
  }) as unknown as Api

test.each([
  ['the greatest', [204, 101], {}, 205],
  ['the greatest below 2^53, where a record has one above', [9007199254740993n, 9007199254740992n, 204], {}, 205],
  ['the last that a double holds', [9007199254740992n, 9007199254740990], {}, 9007199254740991],
  ['none where that is taken', [9007199254740991, 9007199254740990], {}, undefined],
  ['none where so many are greater that no other was read', Array<bigint>(100).fill(2n ** 60n), {}, undefined],
  ['1 where there is none', [], {}, 1],
  ['1 where all are smaller', [-5], {}, 1],
  ['the least that the schema allows', [], { minimum: 10 }, 10],
  ['none above the most that the schema allows', [20, 19], { maximum: 20 }, undefined],
])('the integer that is suggested follows %s', (_, ids, schema, expected) => {
  expect(nextInteger(ids, schema)).toBe(expected)
})

test('a text is suggested while it is free, as the others look', async () => {
  const suggest = (ids: readonly string[]) => suggestId(apiWith(ids), 'default', collectionOf({ type: 'string' }))
  expect(await suggest(['app_zgke7yz4gqqexlwt'])).toBe('app_zgke7yz4gqqexlwu')
  const [last, first, second] = ['z', '2', '3'].map((letter) => 'app_' + letter.repeat(16))
  expect(await suggest([last!])).toBe(first)
  expect(await suggest([last!, first!])).toBe(second!.slice(0, -16) + '2'.repeat(15) + '3')
  expect(await suggest(['mine'])).toBeUndefined()
})

test('a key that is made after another one has another name', async () => {
  const keys = collectionOf(
    { type: 'string', pattern: '^[\\x21-\\x3f\\x41-\\x7e]+$' },
    { id: 'secret', has_secrets: true },
  )
  expect(await suggestId(apiWith([], ['key_pro']), 'default', keys)).toBe('key_new')
  expect(await suggestId(apiWith([], ['key_new', 'key_new_2']), 'default', keys)).toBe('key_new_3')
})

test('a copy of a copy gets another name too, as long as the schema allows it', async () => {
  const copy = (ids: readonly string[], field: JsonSchema) =>
    copyId(apiWith(ids), 'default', { id: 'acct' }, collectionOf(field))
  expect(await copy(['acct'], { type: 'string' })).toBe('acct_copy')
  expect(await copy(['acct', 'acct_copy'], { type: 'string' })).toBe('acct_copy_2')
  expect(await copy(['acct', 'acct_copy'], { type: 'string', maxLength: 9 })).toBeUndefined()
})
