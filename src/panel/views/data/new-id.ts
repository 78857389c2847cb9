import type { Api } from '../../data/api.ts'
import type { CollectionSummary, JsonSchema, RecordValue } from '../../data/shapes.ts'

/** The characters of generated ids, in sort order. */
const letters = '234567abcdefghijklmnopqrstuvwxyz'

const madeId = /^([a-z]+_)([A-Za-z0-9]{16})$/

const max = { read: 100, tried: 20 }

export async function suggestId(api: Api, world: string, collection: CollectionSummary): Promise<unknown> {
  const { id, name, schema, relations, has_secrets } = collection
  if (relations[id]) return undefined
  const field = schema.properties?.[id] ?? {}
  const { data } = await api.records(world, name, { sort: `-${id}`, limit: max.read })
  const ids = data.map((record) => record[id])
  if (field.type === 'integer') return nextInteger(ids, field)
  if (has_secrets && id !== 'id') {
    // Records do not contain their secrets; the list of keys has their names.
    const names = (await api.keys(world)).map((key) => key.name)
    return firstFree('key_new', numbered, field, (text) => !names.includes(text))
  }
  const [, prefix, rest] = madeId.exec(String(ids[0])) ?? []
  if (rest === undefined) return undefined
  const next = (text: string) => prefix + nextText(text.slice(prefix!.length))
  return firstFree(next(ids[0] as string), next, field, isFreeIn(api, world, collection))
}

export function copyId(api: Api, world: string, record: RecordValue, collection: CollectionSummary): Promise<unknown> {
  const { id, schema } = collection
  return firstFree(`${record[id]}_copy`, numbered, schema.properties?.[id] ?? {}, isFreeIn(api, world, collection))
}

type IsFree = (id: string) => boolean | Promise<boolean>

function isFreeIn(api: Api, world: string, { id, name }: CollectionSummary): IsFree {
  return async (text) => (await api.records(world, name, { where: { [id]: text }, limit: 1 })).data.length === 0
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
