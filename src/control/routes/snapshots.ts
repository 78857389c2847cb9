import { suggest } from '../../core/definitions/suggest.ts'
import { ok } from '../answer.ts'
import type { Call } from '../call.ts'
import { ControlError } from '../errors.ts'
import { defineRoutes } from '../route.ts'
import { showWorld } from '../views.ts'

/** The snapshots of a world. */
export const snapshotRoutes = defineRoutes({
  'GET /worlds/{world}/snapshots': ({ world }) => ok({ data: world.snapshots.map((name) => ({ name })) }),
  'GET /worlds/{world}/snapshots/{snapshot}': (call) => ok({ name: findSnapshot(call) }),
  'PUT /worlds/{world}/snapshots/{snapshot}': (call) =>
    call.change((world) => (world.snapshot(call.snapshot), ok({ name: call.snapshot }))),
  'POST /worlds/{world}/snapshots/{snapshot}/restore': (call) => {
    call.world.restore(findSnapshot(call))
    return ok(showWorld(call.world))
  },
})

function findSnapshot({ world, snapshot }: Call): string {
  if (world.snapshots.includes(snapshot)) return snapshot
  throw new ControlError(
    404,
    'unknown_snapshot',
    `The world "${world.name}" has no snapshot "${snapshot}".${suggest(snapshot, world.snapshots)}`,
  )
}
