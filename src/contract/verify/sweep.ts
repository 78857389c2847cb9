import { listAll, plantsOf, removePlant } from './plants.ts'
import type { Session } from './session.ts'
import { Unseen } from './verdict.ts'
import { member } from './wire.ts'

const call = { cleansUp: true } as const

/**
 * Deletes plants of the run that the server stored under another id, or under the same id in another notation. Returns those that
 * are left: a plant without an id cannot be deleted. @param known the number of plants already reported by id.
 */
export async function sweepPlants(session: Session, known: number): Promise<string[]> {
  if (!session.options.allowWrites || session.options.targets.plants === undefined || session.client.isLost) return []
  try {
    for (const plant of await ownPlants(session)) {
      const id = member(plant, 'id')
      if (typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint')
        await removePlant(session, encodeURIComponent(String(id)), call)
    }
    const left = await session.until(
      () => ownPlants(session),
      ({ length }) => length <= known,
    )
    // A list that lags still has deleted plants.
    const names = left
      .map((plant) => member(plant, 'name'))
      .filter((name) => !session.isBlind || !session.deleted.has(name))
    const idOf = (name: unknown) => [...session.plants].find(([, known]) => known === name)?.[0]
    return names.slice(known).map((name) => {
      const id = idOf(name)
      return `the plant "${String(name)}"${id === undefined ? '' : `, sent with the id ${id}`}`
    })
  } catch (error) {
    if (error instanceof Unseen) return []
    throw error
  }
}

async function ownPlants(session: Session): Promise<readonly unknown[]> {
  const plants = plantsOf(await listAll(session, call))
  return plants.filter((plant) => session.isOwnName(member(plant, 'name')))
}
