import type { Api } from '../../data/api.ts'
import type { CollectionSummary, RecordValue } from '../../data/shapes.ts'

/** What ids are made of, in the order in which texts are sorted. */
const letters = '234567abcdefghijklmnopqrstuvwxyz'

/** Ids of the service are a prefix, an underscore and this many letters. */
const madeId = /^([a-z]+_)([A-Za-z0-9]{16})$/

/** The largest integer of 64 bits. */
const greatest = 2n ** 63n - 1n

/** An id that no record of a collection has, as its other ids look; `undefined` where nothing can be said. */
export async function suggestId(api: Api, world: string, collection: CollectionSummary): Promise<unknown> {
  const { id, name, schema, relations, has_secrets } = collection
  if (relations[id]) return undefined
  const { data } = await api.records(world, name, { sort: `-${id}`, limit: 1 })
  const last = data[0]?.[id]
  if (schema.properties?.[id]?.type === 'integer') return nextInteger(last)
  if (has_secrets && id !== 'id') return 'key_new'
  const [, prefix, rest] = madeId.exec(String(last)) ?? []
  return rest === undefined ? undefined : prefix + nextText(rest)
}

/** The id of a copy. */
export function copyId(record: RecordValue, { id }: CollectionSummary, suggested: unknown): unknown {
  return suggested ?? (typeof record[id] === 'string' ? `${record[id]}_copy` : undefined)
}

function nextInteger(last: unknown): number | bigint | undefined {
  if (last === undefined) return 1
  const next = BigInt(last as number | bigint) + 1n
  if (next > greatest) return undefined
  return next <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(next) : next
}

/** A text of the same length that comes after it; of one that is the last of all, the first. */
function nextText(text: string): string {
  const last = text.at(-1)
  if (last === undefined) return ''
  const next = [...letters].find((letter) => letter > last)
  return next === undefined ? nextText(text.slice(0, -1)) + letters[0] : text.slice(0, -1) + next
}
