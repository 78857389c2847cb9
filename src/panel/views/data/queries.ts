import { toTimestamp } from '../../../core/time/time-text.ts'
import type { ControlApi } from '../../../control/client/control-api.ts'
import { toFields } from '../../components/form/draft.ts'
import {
  readRecords,
  type CollectionSummary,
  type JsonSchema,
  type RecordValue,
  type Texts,
} from '../../data/control.ts'

export const recordEvents = ['records'] as const

export const wherePrefix = 'where.'

export function filteredFields(params: Texts): string[] {
  return Object.keys(params).flatMap((name) => {
    if (name.startsWith(wherePrefix)) return name.slice(wherePrefix.length)
    return []
  })
}

/**
 * Returns what a new record has at first: what the list is filtered by, the present time, the first
 * of a choice.
 */
export async function blank(
  control: ControlApi,
  { schema, relations }: CollectionSummary,
  params: Texts,
): Promise<RecordValue> {
  const now = Math.floor(toTimestamp((await control.call('GET /worlds/{world}/clock')).now))
  const value: Record<string, unknown> = {}
  for (const field of toFields(schema)) {
    const filtered = params[wherePrefix + field.name]
    if (relations[field.name] && filtered !== undefined) value[field.name] = filtered
    else if (!field.isRequired || field.isNullable) continue
    else if (field.kind === 'stored-time') value[field.name] = now
    else if (field.kind === 'boolean') value[field.name] = false
    else if (field.kind === 'choice') value[field.name] = field.values[0]
  }
  return value
}

/**
 * Suggests an id that follows the greatest: the next number, or the next 16 letters; for a copy of
 * another record, `ID_copy`.
 */
export async function suggestId(
  control: ControlApi,
  { id, name, schema, relations }: CollectionSummary,
  copied: RecordValue = {},
): Promise<unknown> {
  if (relations[id]) return undefined
  const { data } = await readRecords(control, name, {
    sort: `-${id}`,
    limit: 100,
  })
  const ids = data.map((record) => record[id])
  if (schema.properties?.[id]?.type === 'integer') {
    // A client that reads numbers as JavaScript does can hold the next one.
    const greatest = ids.map(Number).find(Number.isSafeInteger)
    const next = Math.max(0, greatest ?? (ids.length > 0 ? Infinity : 0)) + 1
    if (Number.isSafeInteger(next)) return next
    return undefined
  }
  const [, prefix, rest] = /^([a-z]+_)([A-Za-z0-9]{16})$/.exec(String(ids[0])) ?? []
  if (rest !== undefined) return prefix + nextText(rest)
  if (typeof copied[id] === 'string') return `${copied[id]}_copy`
  return undefined
}

/** In sort order. */
const letters = '234567abcdefghijklmnopqrstuvwxyz'

/**
 * Returns the text of the same length that sorts after the given one; after the last text, the
 * first.
 */
function nextText(text: string): string {
  const next = [...letters].find((letter) => letter > text.slice(-1))
  if (text === '') return ''
  if (next === undefined) return nextText(text.slice(0, -1)) + letters[0]
  return text.slice(0, -1) + next
}

/** The most records to choose from; with more, the id has to be typed. */
const maxChoices = 200

export async function readSchema(
  control: ControlApi,
  { schema, relations }: CollectionSummary,
  collections: readonly CollectionSummary[],
): Promise<JsonSchema> {
  const choices = Object.entries(relations).map(async ([field, target]) => {
    const { id = '' } = collections.find((one) => one.name === target) ?? {}
    const { data, total = 0 } = await readRecords(control, target, {
      sort: id,
      limit: maxChoices,
    })
    if (total === 0 || total > maxChoices) return []
    return [
      [
        field,
        {
          ...schema.properties?.[field],
          enum: data.map((one) => String(one[id])),
        },
      ],
    ]
  })
  const related = await Promise.all(choices)
  return {
    ...schema,
    properties: { ...schema.properties, ...Object.fromEntries(related.flat()) },
  }
}
