import type { RecordDifference } from '../core/store/record-index.ts'
import { toJson } from '../core/http/json.ts'
import { changesSince, differingFields, type CollectionChanges } from '../greenhouse/inspect/compare.ts'
import { createHider } from '../greenhouse/inspect/hidden.ts'
import { suggest } from '../core/definitions/suggest.ts'
import { liveOf } from '../greenhouse/assembly/live.ts'
import type { Part, PartsAnswer } from './answer.ts'
import type { CollectionComparison, List, RecordComparison } from './answers.ts'
import type { Call } from './call.ts'
import { ControlError } from './errors.ts'
import { readLimit } from './list-parts.ts'
import { collectInTurns, sortInTurns } from './turns.ts'

const longestValue = 1_000

export async function compareWithSnapshot(call: Call): Promise<PartsAnswer<List<CollectionComparison>>> {
  const limit = readLimit(call.query)
  const snapshot = findSnapshot(call)
  const live = liveOf(call.world)
  const all: Shown[] = []
  for (const { definition, changes } of changesSince(live, snapshot)) {
    const found = await collectInTurns(changes)
    const inOrder = await sortInTurns(found, (one, other) => one.sequence - other.sequence)
    all.push({ definition, changes: inOrder, show: createHider(live, definition) })
  }
  return { parts: toParts(all, limit) }
}

export function findSnapshot({ world, snapshot }: Call): string {
  if (world.snapshots.includes(snapshot)) return snapshot
  throw new ControlError(
    404,
    'unknown_snapshot',
    `The world "${world.name}" has no snapshot "${snapshot}".${suggest(snapshot, world.snapshots)}`,
  )
}

type Shown = CollectionChanges & { readonly show: (record: object) => object }

function* toParts(all: readonly Shown[], limit: number): Generator<Part> {
  let before = '{"data":['
  for (const collection of all) {
    const lists = createLists(collection, limit)
    for (const change of collection.changes) {
      lists.add(change)
      yield ['', 500]
    }
    const compared = lists.end()
    if (!compared) continue
    yield [before + toJson(compared), 0]
    before = ','
  }
  yield [(before === ',' ? '' : before) + ']}', 0]
}

function createLists({ definition, show }: Shown, limit: number) {
  const added: string[] = []
  const removed: string[] = []
  const changed: RecordComparison[] = []
  const more = { added: 0, removed: 0, changed: 0 }
  const idOf = (record: object) => String(definition.key(show(record)))
  return {
    add({ before, after }: RecordDifference<object>): void {
      if (!before) put('added', added, () => idOf(after!))
      else if (!after) put('removed', removed, () => idOf(before))
      else {
        const fields = differingFields(before, after)
        if (fields.length > 0) put('changed', changed, () => compareFields(before, after, fields))
      }
    },
    end(): CollectionComparison | undefined {
      const isSame = added.length + removed.length + changed.length + more.added + more.removed + more.changed === 0
      return isSame ? undefined : { collection: definition.name, added, removed, changed, more }
    },
  }

  function put<T>(name: keyof typeof more, list: T[], make: () => T): void {
    if (list.length < limit) list.push(make())
    else more[name]++
  }

  function compareFields(before: object, after: object, fields: readonly string[]): RecordComparison {
    const [one, other] = [show(before), show(after)] as Record<string, unknown>[]
    return {
      id: idOf(after),
      fields: fields.map((field) => ({ field, before: toShort(one![field]), after: toShort(other![field]) })),
    }
  }
}

function toShort(value: unknown): unknown {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : toJson(value)
  return text.length <= longestValue ? value : text.slice(0, longestValue) + '…'
}
