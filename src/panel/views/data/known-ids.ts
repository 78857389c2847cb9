import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { Api } from '../../data/api.ts'
import type { CollectionSummary, JsonSchema, RecordValue } from '../../data/shapes.ts'

/** The most records to choose from; with more, the id has to be typed. */
const maxChoices = 200

export function useKnownIds(
  collection: CollectionSummary,
  collections: readonly CollectionSummary[],
  record: RecordValue | undefined,
): JsonSchema | undefined {
  const { api, world } = usePanel()
  const found = useResource(() => readIds(api, world.name.value, collection, collections), [])
  if (found.error.value) return collection.schema
  return found.value.value && withChoices(collection, found.value.value, record)
}

type KnownIds = Readonly<Record<string, readonly string[]>>

async function readIds(
  api: Api,
  world: string,
  { relations }: CollectionSummary,
  collections: readonly CollectionSummary[],
): Promise<KnownIds> {
  const lists = Object.entries(relations).map(async ([field, target]) => {
    const { id } = collections.find(({ name }) => name === target)!
    const { data, total = 0 } = await api.records(world, target, { sort: id, limit: maxChoices })
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
