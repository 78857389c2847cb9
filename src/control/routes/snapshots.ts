import { liveOf } from '../../greenhouse/live.ts'
import { done, ok } from '../answer.ts'
import { compareWithSnapshot } from '../compare.ts'
import { defineRoutes } from '../route.ts'
import { findSnapshot } from '../snapshots.ts'
import { showWorld } from '../views.ts'

/** The snapshots of a world. */
export const snapshotRoutes = defineRoutes({
  'GET /worlds/{world}/snapshots': ({ world }) => ok({ data: world.snapshots.map((name) => ({ name })) }),
  'GET /worlds/{world}/snapshots/{snapshot}': (call) => ok({ name: findSnapshot(call) }),
  'PUT /worlds/{world}/snapshots/{snapshot}': (call) =>
    call.change((world) => (world.snapshot(call.snapshot), ok({ name: call.snapshot }))),
  'DELETE /worlds/{world}/snapshots/{snapshot}': (call) => done(liveOf(call.world).deleteSnapshot(findSnapshot(call))),
  'GET /worlds/{world}/snapshots/{snapshot}/compare': { reads: 'query', handle: compareWithSnapshot },
  'POST /worlds/{world}/snapshots/{snapshot}/restore': (call) => {
    call.world.restore(findSnapshot(call))
    return ok(showWorld(call.world))
  },
})
