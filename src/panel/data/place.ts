import type { Api } from './api.ts'
import type { CollectionSummary } from './shapes.ts'

export async function placeOf(
  api: Api,
  world: string,
  { name, id: field }: Pick<CollectionSummary, 'name' | 'id'>,
  id: string,
): Promise<number | undefined> {
  const { places } = await api.records(world, name, { where: { [field]: id }, limit: 1, places: true })
  return places?.[0]
}
