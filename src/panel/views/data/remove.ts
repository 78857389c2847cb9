import { confirmed, toast } from '../../components/index.ts'
import { ApiFailure } from '../../data/failure.ts'
import type { Panel } from '../../data/panel.ts'
import { placeOf } from '../../data/place.ts'
import type { CollectionSummary, RecordValue } from '../../data/shapes.ts'

const maxRestored = 500

interface Placed {
  readonly collection: CollectionSummary
  readonly record: RecordValue
  readonly place: number | undefined
}

/**
 * Deletes a record, and offers to undo it. Asks first if records that refer to it are deleted too, or if there is no
 * undo, because the panel does not know the record's secret. @param onDone called after the deletion
 */
export async function removeRecord(
  { api, world }: Panel,
  collections: readonly CollectionSummary[],
  collection: CollectionSummary,
  record: RecordValue,
  onDone: () => void,
): Promise<void> {
  const name = world.name.peek()
  const id = String(record[collection.id])
  const title = `${collection.name} ${id}`
  const place = await placeOf(api, name, collection, id)
  let gone: readonly Placed[] | undefined = collection.has_secrets ? undefined : [{ collection, record, place }]
  const ask = (text: string) => confirmed({ title: `Delete ${title}?`, text, action: 'Delete' })
  if (!gone && !(await ask('You can’t undo this: the record has a secret that the panel does not know.'))) return
  try {
    await api.deleteRecord(name, collection.name, id)
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'record_in_use') throw error
    gone = gone && (await readDependents(api, name, collections, gone[0]!))
    const after = gone ? 'Undo restores them all.' : 'You can’t undo this.'
    if (!(await ask(`${toFacts(error.message)} They are deleted too. ${after}`))) return
    await api.deleteRecord(name, collection.name, id, true)
  }
  onDone()
  const family = gone
  toast({
    text: family && family.length > 1 ? `Deleted ${title} and ${family.length - 1} more` : `Deleted ${title}`,
    ...(family && {
      undo: async () => {
        for (const one of family) await api.createRecord(name, one.collection.name, one.record, one.place)
      },
    }),
  })
}

function toFacts(message: string): string {
  return message.split('. ', 1)[0]!.replace(/\.?$/, '.')
}

/** Returns a record and all that refer to it, in an order in which they can be created again; `undefined` if they can't. */
async function readDependents(
  api: Panel['api'],
  world: string,
  collections: readonly CollectionSummary[],
  first: Placed,
): Promise<readonly Placed[] | undefined> {
  const found = new Map<string, Placed>()
  const waiting = [first]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { collection, record } = next
    const id = String(record[collection.id])
    const place = `${collection.name} ${id}`
    if (found.has(place)) continue
    if (collection.has_secrets || found.size >= maxRestored) return undefined
    found.set(place, next)
    for (const other of collections)
      for (const [field, target] of Object.entries(other.relations)) {
        if (target !== collection.name) continue
        const { data, total, places } = await api.records(world, other.name, {
          where: { [field]: id },
          limit: maxRestored,
          places: true,
        })
        if ((total ?? 0) > maxRestored) return undefined
        waiting.push(...data.map((one, index) => ({ collection: other, record: one, place: places?.[index] })))
      }
  }
  // The list of collections has each collection after those that it refers to.
  const collectionIndex = ({ collection }: Placed) => collections.indexOf(collection)
  return [...found.values()].sort((one, other) => collectionIndex(one) - collectionIndex(other))
}
