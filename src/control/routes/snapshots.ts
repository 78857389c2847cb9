import { suggest } from '../../core/text/messages.ts'
import { toJson } from '../../core/http/json.ts'
import { isSame } from '../../core/text/values.ts'
import type { RecordDifference } from '../../core/store/record-index.ts'
import { liveOf } from '../../api/world.ts'
import { allCollections, type Collection, createHider } from '../../api/inspect/collections.ts'
import { type Answer, type Chunk, type ChunksAnswer, defineRoutes, done, ok } from '../answer.ts'
import type { CollectionComparison, List, RecordComparison, WorldSummary } from '../answers.ts'
import { check, invalid } from '../body.ts'
import type { Call } from '../call.ts'
import { ControlError } from '../errors.ts'
import { collectInTurns, readLimit, sortInTurns } from '../turns.ts'
import { goBackSchema } from '../schemas.ts'
import { showWorld } from '../views.ts'

const longestValue = 1_000

async function compareWithSnapshot(call: Call): Promise<ChunksAnswer<List<CollectionComparison>>> {
  const limit = readLimit(call.query)
  const snapshot = findSnapshot(call)
  const live = liveOf(call.world)
  const all: Shown[] = []
  // May include records that were changed back.
  const since = allCollections(live).map((one) => ({ definition: one, changes: live.changesSince(snapshot, one) }))
  for (const { definition, changes } of since) {
    const found = await collectInTurns(changes)
    const inOrder = await sortInTurns(found, (one, other) => one.sequence - other.sequence)
    all.push({ definition, changes: inOrder, show: createHider(live, definition) })
  }
  return { chunks: toChunks(all, limit) }
}

function findSnapshot({ world, snapshot }: Call): string {
  if (world.snapshots.includes(snapshot)) return snapshot
  throw new ControlError(
    404,
    'unknown_snapshot',
    `The world "${world.name}" has no snapshot "${snapshot}".${suggest(snapshot, world.snapshots)}`,
  )
}

interface Shown {
  readonly definition: Collection
  readonly changes: readonly RecordDifference<object>[]
  readonly show: (record: object) => object
}

function* toChunks(all: readonly Shown[], limit: number): Generator<Chunk> {
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

function differingFields(before: object, after: object): string[] {
  const [one, other] = [before, after] as Record<string, unknown>[]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isSame(one![name], other![name]),
  )
}

export const snapshotRoutes = defineRoutes({
  'GET /worlds/{world}/snapshots': ({ world }) => ok({ data: world.snapshots.map((name) => ({ name })) }),
  'GET /worlds/{world}/snapshots/{snapshot}': (call) => ok({ name: findSnapshot(call) }),
  'PUT /worlds/{world}/snapshots/{snapshot}': (call) =>
    call.change((world) => (world.snapshot(call.snapshot), ok({ name: call.snapshot }))),
  'DELETE /worlds/{world}/snapshots/{snapshot}': (call) => done(liveOf(call.world).deleteSnapshot(findSnapshot(call))),
  'GET /worlds/{world}/snapshots/{snapshot}/compare': { reads: 'query', handle: compareWithSnapshot },
  'POST /worlds/{world}/snapshots/{snapshot}/restore': { reads: 'body', handle: restoreSnapshot },
})

function restoreSnapshot(call: Call): Answer<WorldSummary> {
  const { world } = call
  const name = findSnapshot(call)
  const { snapshot } = check(goBackSchema, call.body)
  if (snapshot === name)
    throw invalid('snapshot: expected a name other than that of the snapshot to restore, which would be overwritten')
  if (snapshot !== undefined) world.snapshot(snapshot)
  world.restore(name)
  return ok(showWorld(world))
}
