import { readRecords } from '../../data/control.ts'
import type { ControlApi } from '../../../control/client/control-api.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { CollectionSummary, JsonSchema, RecordsFilter, RecordValue } from '../../data/shapes.ts'

/** The characters of generated ids, in sort order. */
const letters = '234567abcdefghijklmnopqrstuvwxyz'

const madeId = /^([a-z]+_)([A-Za-z0-9]{16})$/

const max = { read: 100, tried: 20 }

export async function suggestId(control: ControlApi, collection: CollectionSummary): Promise<unknown> {
  const { id, name, schema, relations, has_secrets } = collection
  if (relations[id]) return undefined
  const field = schema.properties?.[id] ?? {}
  const { data } = await readRecords(control, { collection: name }, { sort: `-${id}`, limit: max.read })
  const ids = data.map((record) => record[id])
  if (field.type === 'integer') return nextInteger(ids, field)
  if (has_secrets && id !== 'id') {
    // Records do not contain their secrets; the list of keys has their names.
    const names = (await control.call('GET /worlds/{world}/keys')).data.map((key) => key.name)
    return firstFree('key_new', numbered, field, (text) => !names.includes(text))
  }
  const [, prefix, rest] = madeId.exec(String(ids[0])) ?? []
  if (rest === undefined) return undefined
  const next = (text: string) => prefix + nextText(text.slice(prefix!.length))
  return firstFree(next(ids[0] as string), next, field, isFreeIn(control, collection))
}

export function copyId(control: ControlApi, record: RecordValue, collection: CollectionSummary): Promise<unknown> {
  const { id, schema } = collection
  return firstFree(`${record[id]}_copy`, numbered, schema.properties?.[id] ?? {}, isFreeIn(control, collection))
}

type IsFree = (id: string) => boolean | Promise<boolean>

function isFreeIn(control: ControlApi, { id, name }: CollectionSummary): IsFree {
  return async (text) =>
    (await readRecords(control, { collection: name }, { where: { [id]: text }, limit: 1 })).data.length === 0
}

async function firstFree(
  first: string,
  next: (text: string) => string,
  { maxLength = Infinity, pattern = '' }: JsonSchema,
  isFree: IsFree,
): Promise<string | undefined> {
  let text = first
  for (let tried = 0; tried < max.tried; tried++) {
    if (text.length > maxLength || !new RegExp(pattern, 'u').test(text)) return undefined
    if (await isFree(text)) return text
    text = next(text)
  }
  return undefined
}

function numbered(text: string): string {
  const [, rest = text, number = '1'] = /^(.*)_(\d+)$/.exec(text) ?? []
  return `${rest}_${Number(number) + 1}`
}

/** Returns the greatest id plus 1, within the schema and the safe integers of JavaScript. @param ids the greatest first */
export function nextInteger(
  ids: readonly unknown[],
  { minimum = 1, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema,
): number | undefined {
  const greatest = Math.min(maximum, Number.MAX_SAFE_INTEGER)
  const below = ids.map(Number).find((id) => id < greatest)
  // The ids that were not read are unknown.
  if (below === undefined && ids.length >= max.read) return undefined
  const next = Math.max(minimum, (below ?? minimum - 1) + 1)
  return next > greatest || ids.map(Number).includes(next) ? undefined : next
}

/** Returns a text that sorts after the given one and has the same length; after the last text, the first. */
function nextText(text: string): string {
  const last = text.at(-1)
  if (last === undefined) return ''
  const next = [...letters].find((letter) => letter > last)
  return next === undefined ? nextText(text.slice(0, -1)) + letters[0] : text.slice(0, -1) + next
}

/** The most records to choose from; with more, the id has to be typed. */
const maxChoices = 200

export function useKnownIds(
  collection: CollectionSummary,
  collections: readonly CollectionSummary[],
  record: RecordValue | undefined,
): JsonSchema | undefined {
  const { control } = usePanel()
  const found = useResource(() => readIds(control, collection, collections), [])
  if (found.error.value) return collection.schema
  return found.value.value && withChoices(collection, found.value.value, record)
}

type KnownIds = Readonly<Record<string, readonly string[]>>

async function readIds(
  control: ControlApi,
  { relations }: CollectionSummary,
  collections: readonly CollectionSummary[],
): Promise<KnownIds> {
  const lists = Object.entries(relations).map(async ([field, target]) => {
    const { id } = collections.find(({ name }) => name === target)!
    const { data, total = 0 } = await readRecords(control, { collection: target }, { sort: id, limit: maxChoices })
    return total > maxChoices ? [] : [[field, data.map((one) => String(one[id]))] as const]
  })
  return Object.fromEntries((await Promise.all(lists)).flat())
}

function withChoices({ schema }: CollectionSummary, ids: KnownIds, record: RecordValue = {}): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([field, given]) => {
    const known = ids[field]
    if (!known || known.length === 0) return [field, given]
    const current = record[field]
    const values = typeof current === 'string' && !known.includes(current) ? [current, ...known] : known
    return [field, { ...given, enum: values }]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

export const pageSize = 50

export const wherePrefix = 'where.'

export function toQuery(params: Readonly<Record<string, string>>): RecordsFilter {
  const { search, sort } = params
  return {
    search,
    sort,
    where: Object.fromEntries(
      filteredFields(params)
        .map((field) => [field, params[wherePrefix + field]!] as const)
        .filter(([, value]) => value !== ''),
    ),
    limit: pageSize,
    offset: (pageOf(params) - 1) * pageSize,
  }
}

export function pageOf({ page = '' }: Readonly<Record<string, string>>): number {
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1
}

export function filteredFields(params: Readonly<Record<string, string>>): string[] {
  return Object.keys(params)
    .filter((name) => name.startsWith(wherePrefix))
    .map((name) => name.slice(wherePrefix.length))
}

export const recordEvents = ['records', 'keys'] as const
