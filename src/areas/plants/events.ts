import { sampleOfAccount } from '../event-types.ts'
import { plants, type Plant } from './schemas.ts'

export function toPlantCreated({ id, name, tag }: Readonly<Pick<Plant, 'id' | 'name' | 'tag'>>) {
  if (tag === undefined) return { id, name }
  return {
    id,
    name,
    tag,
  }
}

export const plantCreatedSample = /* @__PURE__ */ sampleOfAccount((world, account) =>
  toPlantCreated(
    world.collection(plants).ownedBy(account).newest(1)[0] ?? {
      id: 1,
      name: 'Ficus',
      tag: 'tree',
    },
  ),
)
