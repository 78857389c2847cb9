import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CollectionSummary,
  type JsonSchema,
  type RequestEvent,
  sendInPage,
} from '../../src/panel/data/control.ts'
import { merge } from '../../src/panel/views/traffic/log.ts'
import { fitTo, fromDraft, toDraft, toFields } from '../../src/panel/components/form/draft.ts'
import { pretty } from '../../src/panel/components/words.ts'
import { toJson } from '../../src/core/http/json.ts'
import { suggestId } from '../../src/panel/views/data/queries.ts'
import { ControlApi } from '../../src/control/client/control-api.ts'
import { createGreenhouse } from '../../src/index.ts'

const entry = (id: number, pending: boolean): RequestEvent =>
  ({ id, ...(pending && { pending }), scenarios: [], assumptions: [] }) as unknown as RequestEvent

test('merged lists of requests are newest first, unique, and none is pending after its reply', () => {
  const some = fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.boolean()), { maxLength: 12 })
  fc.assert(
    fc.property(fc.array(some, { maxLength: 4 }), (lists) => {
      let merged: readonly RequestEvent[] = []
      const sent = new Map<number, boolean>()
      for (const list of lists) {
        for (const [id, pending] of list) sent.set(id, (sent.get(id) ?? false) || !pending)
        const entries = list.map(([id, pending]) => entry(id, pending))
        merged = merge(
          merged,
          entries.sort((one, other) => other.id - one.id),
        )
      }
      expect(merged.map(({ id, pending }) => [id, !pending])).toEqual(
        [...sent].sort(([one], [other]) => other - one),
      )
    }),
  )
})

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

const now = Date.parse('2026-03-01T12:00:00.000Z')

test('a value comes back from its form as it was, integers of 64 bits exact', () => {
  const draft = toDraft(fields, value)
  expect(draft).toMatchObject({
    id: '9007199254740993',
    since: '2026-03-01T12:00:00.000Z',
    until: '',
    tags: 'a b\nc',
  })
  const { until: _, ...filledIn } = value
  expect(fromDraft(fields, draft, now)).toEqual({ value: filledIn, mistakes: {} })
  expect(fromDraft(fields, draft, now, value)).toEqual({ value, mistakes: {} })
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

test('omitted parts are left out, and a part that must stay is named', () => {
  expect(fromDraft(fields, toDraft(fields, {}), now)).toEqual({
    value: {},
    mistakes: Object.fromEntries(
      ['id', 'name', 'plan', 'since'].map((name) => [name, 'This is required.']),
    ),
  })
})

test.each([
  ['id', '1.5', 'Write a whole number.'],
  ['weight', 'heavy', 'Write a number.'],
  [
    'since',
    '2026-02-30T00:00:00Z',
    'Write a time such as 2026-01-31T12:00:00Z, now, in 3d or 1h ago.',
  ],
  ['since', 'in 1h ago', 'Write a time such as 2026-01-31T12:00:00Z, now, in 3d or 1h ago.'],
  ['settings', '{', 'This is not valid JSON yet.'],
])('%s can not be %s', (name, text, mistake) => {
  expect(fromDraft(fields, { ...toDraft(fields, value), [name]: text }, now).mistakes).toEqual({
    [name]: mistake,
  })
})

test.each([
  ['now', '2026-03-01T12:00:00.000Z'],
  ['in 3d', '2026-03-04T12:00:00.000Z'],
  ['1h ago', '2026-03-01T11:00:00.000Z'],
  ['90 min ago', '2026-03-01T10:30:00.000Z'],
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
])('a time that is typed as %s is %s', (text, time) => {
  const { value: read } = fromDraft(fields, { ...toDraft(fields, value), since: text }, now)
  expect(new Date(read['since'] as number).toISOString()).toBe(time)
})

test('JSON as people edit it keeps integers of 64 bits, and texts that look like anything', () => {
  expect(pretty({ id: 9007199254740993n, text: '\u00000 "1"' })).toBe(
    '{\n  "id": 9007199254740993,\n  "text": "\\u00000 \\"1\\""\n}',
  )
})

/** Returns the id that is suggested next to these, the greatest first. */
const suggestNext = (ids: readonly unknown[], copied?: string) => {
  const type = typeof ids[0] === 'string' ? 'string' : 'integer'
  const fetch = async () => new Response(toJson({ data: ids.map((id) => ({ id })) }))
  const collection = {
    name: 'things',
    id: 'id',
    relations: {},
    schema: { properties: { id: { type } } },
  }
  const control = new ControlApi('http://greenhouse.test', { fetch })
  return suggestId(control, collection as unknown as CollectionSummary, { id: copied })
}

test.each<[after: string, ids: readonly unknown[], expected: unknown, copied?: string]>([
  ['the greatest', [204, 101], 205],
  [
    'the greatest below 2^53, where a record has one above',
    [9007199254740993n, 9007199254740992n, 204],
    205,
  ],
  [
    'the one before the last that a double holds',
    [9007199254740992n, 9007199254740990],
    9007199254740991,
  ],
  ['none where that is taken', [9007199254740991, 9007199254740990], undefined],
  [
    'none where so many are greater that no other was read',
    Array<bigint>(100).fill(2n ** 60n),
    undefined,
  ],
  ['0 where there is none', [], 1],
  ['0 where all are smaller', [-5], 1],
  ['a generated text', ['app_zgke7yz4gqqexlwt'], 'app_zgke7yz4gqqexlwu'],
  ['a text at the end of a letter', ['app_zgke7yz4gqqexl7z'], 'app_zgke7yz4gqqexla2'],
  ['no text that one wrote', ['mine'], undefined],
  ['the text that is copied', ['mine'], 'mine_copy', 'mine'],
])('the id that is suggested follows %s', async (_, ids, expected, copied) => {
  expect(await suggestNext(ids, copied)).toBe(expected)
})

test('in a page without handlers, a request goes to the Greenhouse itself', async () => {
  const greenhouse = createGreenhouse()
  const send = sendInPage({
    origin: 'http://shop.test',
    fetch: greenhouse.fetch,
    bases: () => undefined,
  })
  const response = await send('/v1/apps?limit=1', { headers: { authorization: 'Bearer key_pro' } })
  expect(response.status).toBe(200)
  await response.text()
  expect(greenhouse.world().journal.calls()).toMatchObject([{ operation: 'apps.list' }])
})
