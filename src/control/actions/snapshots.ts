import * as z from 'zod/mini'
import { describeProblem } from '../../core/text/messages.ts'
import { defineAction, type Call } from '../call.ts'
import { notFound } from '../errors.ts'
import { listOf, showWorld, worldState } from '../shapes.ts'

const shownSnapshot = z.object({ name: z.string() })

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
    run: (call) => call.world.core.saved.delete(findSnapshot(call)),
  }),
  defineAction('snapshots.restore', 'POST /worlds/{world}/snapshots/{snapshot}/restore', {
    title: 'Go back to a snapshot',
    description:
      'The journal stays as it is. The name can be that of a change, whose state before it is kept.',
    destructive: true,
    needsWorld: true,
    output: worldState,
    run(call) {
      const { world } = call
      world.restore(world.core.saved.canUndo(call.snapshot) ? call.snapshot : findSnapshot(call))
      return showWorld(world)
    },
  }),
] as const

function findSnapshot({ world, snapshot }: Call): string {
  if (world.snapshots.includes(snapshot)) return snapshot
  throw notFound(
    'snapshot',
    describeProblem(
      `The world "${world.name}" has no snapshot "${snapshot}"`,
      snapshot,
      world.snapshots,
    ),
  )
}
