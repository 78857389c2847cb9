import { expect, expectTypeOf, test } from 'vitest'
import { createGreenhouse, type AssumptionChoices, type Variant } from 'greenhouse-mock'
import { toInit } from '../support/test-api.ts'

test('every alternative of every assumption is a variant, in the order of assumptionRegistry', () => {
  const greenhouse = createGreenhouse()
  const expected = greenhouse
    .assumptions()
    .flatMap(({ id, values }) =>
      values
        .slice(1)
        .map((value) => ({ title: `${id}=${value}`, id, value, assumptions: { [id]: value } })),
    )
  expect(greenhouse.variants()).toEqual(expected)
  expect(expected.length).toBeGreaterThan(60)
})

test('every value but the current one is a variant, the default included', () => {
  const greenhouse = createGreenhouse({ assumptions: { 'plants.delete.unknown': '204' } })
  expect(greenhouse.variants({ only: 'plants.delete.unknown' }).map(({ value }) => value)).toEqual([
    '404',
    '400',
  ])
})

test('only: an id, a glob, several of them', () => {
  const greenhouse = createGreenhouse()
  const ids = (only: string | string[]) => [
    ...new Set(greenhouse.variants({ only }).map(({ id }) => id)),
  ]
  expect(ids('http.head')).toEqual(['http.head'])
  expect(ids('plants.delete.*')).toEqual([
    'plants.delete.status',
    'plants.delete.unknown',
    'plants.delete.invalid-id',
    'plants.delete.foreign',
  ])
  expect(ids(['apps.*.status', 'http.head'])).toEqual([
    'http.head',
    'apps.create.status',
    'apps.delete.status',
  ])
})

test.each([
  [
    { only: 'plant.*' },
    RangeError,
    'Found no assumption called "plant.*". Did you mean "plants.*"?',
  ],
  [{ only: ['http.head', 'http.haed'] }, RangeError, 'Did you mean "http.head"?'],
  [
    { only: 7 },
    TypeError,
    'only: expected the id of an assumption, a glob such as "plants.*", or a list of them, received 7.',
  ],
  [{ only: [] }, TypeError, 'only: expected'],
  [{ onyl: 'http.head' }, TypeError, 'Did you mean "only"?'],
])('%j is refused', (query, kind, message) => {
  const ask = () => createGreenhouse().variants(query as never)
  expect(ask).toThrow(kind)
  expect(ask).toThrow(message)
})

test('the types: each id with its own values', () => {
  expectTypeOf<Extract<Variant, { id: 'plants.delete.foreign' }>['value']>().toEqualTypeOf<
    '404' | '403'
  >()
  expectTypeOf<Variant['assumptions']>().toExtend<AssumptionChoices>()
  // @ts-expect-error -- another assumption's value
  const wrong: Variant = {
    title: '',
    id: 'http.head',
    value: '403',
    assumptions: { 'http.head': '404' },
  }
  expect(wrong.id).toBe('http.head')
})

test.each(createGreenhouse().variants({ only: 'plants.delete.unknown' }))(
  'a world and a Greenhouse can start with $title',
  async ({ assumptions, value }) => {
    const greenhouse = createGreenhouse({ assumptions })
    const remove = async (path: string) =>
      (await greenhouse.fetch(new Request(`http://greenhouse.test${path}`, toInit('DELETE'))))
        .status
    expect(await remove('/plants/999999999')).toBe(Number(value))
    greenhouse.world('other').assume({ 'plants.delete.unknown': '404' })
    expect(await remove('/~other/plants/999999999')).toBe(404)
    greenhouse.world('other').reset({ assumptions })
    expect(await remove('/~other/plants/999999999')).toBe(Number(value))
  },
)
