import { liveOf } from '../../greenhouse/assembly/live.ts'
import { done, ok, type Answer } from '../answer.ts'
import type { WorldSummary } from '../answers.ts'
import { check, invalid } from '../body.ts'
import type { Call } from '../call.ts'
import { compareWithSnapshot, findSnapshot } from '../compare.ts'
import { defineRoutes } from '../route.ts'
import { goBackSchema } from '../schemas.ts'
import { showWorld } from '../views.ts'

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
