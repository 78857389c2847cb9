import type { Api } from './api.ts'
import type { CollectionSummary } from './shapes.ts'

/** Where a record is in the order of creation of its collection, so that it can be put back; `undefined` where that can't be told. */
export async function placeOf(
  api: Api,
  world: string,
  { name, id: field }: Pick<CollectionSummary, 'name' | 'id'>,
  id: string,
): Promise<number | undefined> {
  const { places } = await api.records(world, name, { where: { [field]: id }, limit: 1, places: true })
  return places?.[0]
}
