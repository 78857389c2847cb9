import * as z from 'zod/mini'
import type { RecordDifference } from '../../core/store/record-index.ts'
import { toJson } from '../../core/http/json.ts'
import { describeProblem } from '../../core/text/messages.ts'
import { allCollections, type Collection, createHider } from '../../api/inspect/collections.ts'
import { defineAction, type Call } from '../call.ts'
import { joinText, type JsonText } from '../answer.ts'
import { invalid, notFound } from '../errors.ts'
import { differingFields, type Fields } from '../records.ts'
import { goBackInput, limitQuery, listOf, named, showWorld, worldState } from '../shapes.ts'
import { collectInTurns, sortInTurns } from '../turns.ts'
import { described } from '../../scenarios/language/fields.ts'

const shownSnapshot = z.object({ name: z.string() })

const recordComparison = z.object({
  id: z.string(),
  fields: described(
    z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
    'null for a missing value; the beginning of a long text',
  ),
})

const collectionComparison = named('Comparison', {
  collection: z.string(),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(recordComparison),
  more: z.object({ added: z.int(), removed: z.int(), changed: z.int() }),
})
export type CollectionComparison = z.infer<typeof collectionComparison>

export const snapshotActions = [
  defineAction('snapshots.list', 'GET /worlds/{world}/snapshots', {
    title: 'List the snapshots',
    description: 'Answers the name of each.',
    output: listOf(shownSnapshot),
    run: ({ world }) => ({ data: world.snapshots.map((name) => ({ name })) }),
  }),
  defineAction('snapshots.read', 'GET /worlds/{world}/snapshots/{snapshot}', {
    title: 'Check that a snapshot exists',
    description: 'Answers its name, or that there is none.',
    output: shownSnapshot,
    run: (call) => ({ name: findSnapshot(call) }),
  }),
  defineAction('snapshots.save', 'PUT /worlds/{world}/snapshots/{snapshot}', {
    title: 'Save a snapshot',
    description: 'It has everything but the journal. A snapshot with the same name is replaced.',
    output: shownSnapshot,
    run(call) {
      call.world.snapshot(call.snapshot)
      return { name: call.snapshot }
    },
  }),
  defineAction('snapshots.delete', 'DELETE /worlds/{world}/snapshots/{snapshot}', {
    title: 'Delete a snapshot',
    description: 'The world stays as it is.',
    destructive: true,
    needsWorld: true,
    run: (call) => call.world.core.deleteSnapshot(findSnapshot(call)),
  }),
  defineAction('snapshots.compare', 'GET /worlds/{world}/snapshots/{snapshot}/compare', {
    title: 'Compare the records with a snapshot',
    description:
      'Which were added, removed and changed since, by collection. Values are cut after 1,000 characters; `more` counts what is not listed.',
    input: limitQuery,
    output: listOf(collectionComparison),
    run: compareWithSnapshot,
  }),
  defineAction('snapshots.restore', 'POST /worlds/{world}/snapshots/{snapshot}/restore', {
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

async function compareWithSnapshot(call: Call, { limit }: { limit: number }): Promise<JsonText> {
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
  return joinText('{"data":[', compareAll(all, limit), ']}', (text) => text)
}

function findSnapshot({ world, snapshot }: Call): string {
  if (world.snapshots.includes(snapshot)) return snapshot
  throw notFound(
    'snapshot',
    describeProblem(`The world "${world.name}" has no snapshot "${snapshot}"`, snapshot, world.snapshots),
  )
}

interface Shown {
  readonly definition: Collection
  readonly changes: readonly RecordDifference<object>[]
  readonly show: (record: object) => object
}

function* compareAll(all: readonly Shown[], limit: number): Generator<string> {
  for (const { definition, changes, show } of all) {
    const lists = { added: [] as string[], removed: [] as string[], changed: [] as z.infer<typeof recordComparison>[] }
    const more = { added: 0, removed: 0, changed: 0 }
    const idOf = (record: object) => String(definition.key(show(record)))
    for (const { before, after } of changes) {
      yield ''
      const kind = !before ? 'added' : !after ? 'removed' : 'changed'
      const fields = before && after ? differingFields(before as Fields, after as Fields) : []
      if (kind === 'changed' && fields.length === 0) continue
      if (lists[kind].length >= limit) more[kind]++
      else if (kind !== 'changed') lists[kind].push(idOf((after ?? before)!))
      else {
        const [one, other] = [show(before!), show(after!)] as Fields[]
        const compared = fields.map((field) => ({ field, before: toShort(one![field]), after: toShort(other![field]) }))
        lists.changed.push({ id: idOf(after!), fields: compared })
      }
    }
    const sizes = [...Object.values(lists).map(({ length }) => length), ...Object.values(more)]
    const compared: CollectionComparison = { collection: definition.name, ...lists, more }
    if (sizes.some((size) => size > 0)) yield toJson(compared)
  }
}

function toShort(value: unknown): unknown {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : toJson(value)
  return text.length <= longestValue ? value : text.slice(0, longestValue) + '…'
}
