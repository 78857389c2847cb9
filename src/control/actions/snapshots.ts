import * as z from 'zod/mini'
import type { RecordDifference } from '../../core/store/record-index.ts'
import { toJson } from '../../core/http/json.ts'
import { describeProblem } from '../../core/text/messages.ts'
import { isSame } from '../../core/text/values.ts'
import { allCollections, type Collection, createHider } from '../../api/inspect/collections.ts'
import { type Chunk, ChunksAnswer, defineAction } from '../action.ts'
import type { Call } from '../call.ts'
import { ControlError, invalid } from '../errors.ts'
import { goBackInput, limitQuery, listOf, named, showWorld, worldState } from '../shapes.ts'
import { collectInTurns, joinChunks, sortInTurns } from '../turns.ts'

const shownSnapshot = z.object({ name: z.string() })

const recordComparison = z.object({
  id: z.string(),
  fields: z
    .array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() }))
    .check(z.describe('null for a missing value; the beginning of a long text')),
})
type RecordComparison = z.infer<typeof recordComparison>

const collectionComparison = named('Comparison', {
  collection: z.string(),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(recordComparison),
  more: z.object({ added: z.int(), removed: z.int(), changed: z.int() }),
})
export type CollectionComparison = z.infer<typeof collectionComparison>

export const snapshotActions = [
  defineAction({
    id: 'snapshots.list',
    method: 'GET',
    path: '/worlds/{world}/snapshots',
    title: 'List the snapshots',
    description: 'Answers the name of each.',
    output: listOf(shownSnapshot),
    run: ({ world }) => ({ data: world.snapshots.map((name) => ({ name })) }),
  }),
  defineAction({
    id: 'snapshots.read',
    method: 'GET',
    path: '/worlds/{world}/snapshots/{snapshot}',
    title: 'Check that a snapshot exists',
    description: 'Answers its name, or that there is none.',
    output: shownSnapshot,
    run: (call) => ({ name: findSnapshot(call) }),
  }),
  defineAction({
    id: 'snapshots.save',
    method: 'PUT',
    path: '/worlds/{world}/snapshots/{snapshot}',
    title: 'Save a snapshot',
    description: 'It has everything but the journal. A snapshot with the same name is replaced.',
    output: shownSnapshot,
    run(call) {
      call.world.snapshot(call.snapshot)
      return { name: call.snapshot }
    },
  }),
  defineAction({
    id: 'snapshots.delete',
    method: 'DELETE',
    path: '/worlds/{world}/snapshots/{snapshot}',
    title: 'Delete a snapshot',
    description: 'The world stays as it is.',
    destructive: true,
    needsWorld: true,
    run: (call) => call.world.core.deleteSnapshot(findSnapshot(call)),
  }),
  defineAction({
    id: 'snapshots.compare',
    method: 'GET',
    path: '/worlds/{world}/snapshots/{snapshot}/compare',
    title: 'Compare the records with a snapshot',
    description:
      'Which were added, removed and changed since, by collection. Values are cut after 1,000 characters; `more` counts what is not listed.',
    input: limitQuery,
    output: listOf(collectionComparison),
    run: async (call, { limit }) => new ChunksAnswer(await compareWithSnapshot(call, limit)),
  }),
  defineAction({
    id: 'snapshots.restore',
    method: 'POST',
    path: '/worlds/{world}/snapshots/{snapshot}/restore',
    title: 'Go back to a snapshot',
    description: 'The journal stays as it is. With `snapshot`, it first saves another one of that name.',
    destructive: true,
    needsWorld: true,
    input: goBackInput,
    output: worldState,
    run(call, { snapshot }) {
      const { world } = call
      const name = findSnapshot(call)
      if (snapshot === name)
        throw invalid(
          'snapshot: expected a name other than that of the snapshot to restore, which would be overwritten',
        )
      if (snapshot !== undefined) world.snapshot(snapshot)
      world.restore(name)
      return showWorld(world)
    },
  }),
] as const

const longestValue = 1_000

async function compareWithSnapshot(call: Call, limit: number): Promise<Iterable<Chunk>> {
  const snapshot = findSnapshot(call)
  const live = call.world.core
  const all: Shown[] = []
  // May include records that were changed back.
  const since = allCollections(live).map((one) => ({ definition: one, changes: live.changesSince(snapshot, one) }))
  for (const { definition, changes } of since) {
    const found = await collectInTurns(changes)
    const inOrder = await sortInTurns(found, (one, other) => one.sequence - other.sequence)
    all.push({ definition, changes: inOrder, show: createHider(live, definition) })
  }
  return joinChunks('{"data":[', compareAll(all, limit), ']}', (chunk) => chunk)
}

function findSnapshot({ world, snapshot }: Call): string {
  if (world.snapshots.includes(snapshot)) return snapshot
  throw new ControlError(
    404,
    'unknown_snapshot',
    describeProblem(`The world "${world.name}" has no snapshot "${snapshot}"`, snapshot, world.snapshots),
  )
}

interface Shown {
  readonly definition: Collection
  readonly changes: readonly RecordDifference<object>[]
  readonly show: (record: object) => object
}

function* compareAll(all: readonly Shown[], limit: number): Generator<Chunk> {
  for (const collection of all) {
    const lists = createLists(collection, limit)
    for (const change of collection.changes) {
      lists.add(change)
      yield ['', 500]
    }
    const compared = lists.end()
    if (compared) yield [toJson(compared), 0]
  }
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
