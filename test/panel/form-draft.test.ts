import { expect, test } from 'vitest'
import { fitTo, fromDraft, toDraft, toFields } from '../../src/panel/components/form/draft.ts'
import { pretty } from '../../src/panel/data/json.ts'
import type { JsonSchema } from '../../src/panel/data/shapes.ts'

const schema: JsonSchema = {
  type: 'object',
  required: ['id', 'name', 'plan', 'since'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string', minLength: 1 },
    plan: { enum: ['free', 'pro'] },
    weight: { type: 'number' },
    enabled: { type: 'boolean' },
    since: { type: 'integer', format: 'unix-ms' },
    until: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    tags: { type: 'array', items: { type: 'string' } },
    scopes: { type: 'array', items: { enum: ['read', 'write'] } },
    settings: { type: 'object', properties: {} },
  },
}
const fields = toFields(schema)
const value = {
  id: 9007199254740993n,
  name: 'Fern',
  plan: 'pro',
  weight: 1.5,
  enabled: false,
  since: 1772366400000,
  until: null,
  tags: ['a b', 'c'],
  scopes: ['write'],
  settings: { deep: [9007199254740993n, null] },
}

test('a value comes back from its form as it was, integers of 64 bits exact', () => {
  const draft = toDraft(fields, value)
  expect(draft).toMatchObject({ id: '9007199254740993', since: '2026-03-01T12:00:00.000Z', until: '', tags: 'a b\nc' })
  const { until: _, ...filledIn } = value
  expect(fromDraft(fields, draft)).toEqual({ value: filledIn, mistakes: {} })
  expect(fromDraft(fields, draft, value)).toEqual({ value, mistakes: {} })
})

test.each([
  [['a', 'b c'], 'texts', 'a\nb c'],
  [['a\nb', 'c'], 'json', '[\n  "a\\nb",\n  "c"\n]'],
  [['a', ''], 'json', '[\n  "a",\n  ""\n]'],
])('the list of texts %j is edited as %s', (tags, kind, text) => {
  const fitted = fitTo({ tags }, fields)
  expect(fitted.find(({ name }) => name === 'tags')!.kind).toBe(kind)
  expect(toDraft(fitted, { tags })['tags']).toBe(text)
})

test('what is left out is left out, and what must not be is named', () => {
  expect(fromDraft(fields, toDraft(fields, {}))).toEqual({
    value: {},
    mistakes: Object.fromEntries(['id', 'name', 'plan', 'since'].map((name) => [name, 'This is required.'])),
  })
})

test.each([
  ['id', '1.5', 'Write a whole number.'],
  ['weight', 'heavy', 'Write a number.'],
  ['since', '2026-02-30T00:00:00Z', 'Write a time such as 2026-01-31T12:00:00Z.'],
  ['settings', '{', 'This is not valid JSON yet.'],
])('%s can not be %s', (name, text, mistake) => {
  expect(fromDraft(fields, { ...toDraft(fields, value), [name]: text }).mistakes).toEqual({ [name]: mistake })
})

test('JSON as people edit it keeps integers of 64 bits, and texts that look like anything', () => {
  expect(pretty({ id: 9007199254740993n, text: '\u00000 "1"' })).toBe(
    '{\n  "id": 9007199254740993,\n  "text": "\\u00000 \\"1\\""\n}',
  )
})
