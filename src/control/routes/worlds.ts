import type { ScenarioName } from '../../greenhouse/types/names.ts'
import type { WorldStart } from '../../greenhouse/world-start.ts'
import { liveOf } from '../../greenhouse/assembly/live.ts'
import type { Greenhouse } from '../../greenhouse/greenhouse.ts'
import type { World } from '../../greenhouse/world.ts'
import { done, ok, type Answer } from '../answer.ts'
import type { ClockSummary, WorldSummary } from '../answers.ts'
import { check } from '../body.ts'
import type { Call } from '../call.ts'
import { changeClock } from '../clock.ts'
import { showOpenApi } from '../openapi.ts'
import { toListParts } from '../list-parts.ts'
import { readStartRecords } from '../records.ts'
import { defineRoutes } from '../route.ts'
import { assumptionsSchema, goBackSchema, worldSchema } from '../schemas.ts'
import { waitFor } from '../settled.ts'
import { useOnly, useToo } from '../switch-scenarios.ts'
import { showClock, showScenarios, showWorld } from '../views.ts'

export const worldRoutes = defineRoutes({
  'GET /worlds': ({ greenhouse }) => ({ parts: toListParts(findWorlds(greenhouse), showWorld) }),
  'GET /worlds/{world}': ({ world }) => ok(showWorld(world)),
  'PUT /worlds/{world}': { reads: 'body', handle: putWorld },
  'DELETE /worlds/{world}': (call) => done(call.deleteWorld()),
  'POST /worlds/{world}/reset': { reads: 'body', handle: (call) => call.change((world) => resetWorld(call, world)) },

  'GET /worlds/{world}/scenarios': ({ world }) => ok(showScenarios(world)),
  'PUT /worlds/{world}/scenarios': {
    reads: 'body',
    handle: (call) => call.change((world) => (useOnly(world, call.body), ok(showScenarios(world)))),
  },
  'POST /worlds/{world}/scenarios': {
    reads: 'body',
    handle: (call) => call.change((world) => (useToo(world, call.body), ok(showScenarios(world)))),
  },
  'DELETE /worlds/{world}/scenarios': (call) => call.change((world) => done(world.clear())),
  'DELETE /worlds/{world}/scenarios/{scenario}': (call) =>
    call.change((world) => done(world.clear(call.param('scenario') as ScenarioName))),

  'GET /worlds/{world}/clock': ({ world }) => ok(showClock(world)),
  'PATCH /worlds/{world}/clock': { reads: 'body', handle: (call) => call.change((world) => patchClock(call, world)) },

  'GET /worlds/{world}/assumptions': ({ world }) => ok(world.assumptions),
  'PATCH /worlds/{world}/assumptions': {
    reads: 'body',
    handle: (call) =>
      call.change((world) => (world.assume(check(assumptionsSchema, call.body)), ok(world.assumptions))),
  },

  'GET /worlds/{world}/openapi.json': { reads: 'query', handle: (call) => showOpenApi(call, call.world) },
})

/** Yields the worlds that exist when their turn comes. */
function* findWorlds(greenhouse: Greenhouse): Generator<World> {
  for (const name of greenhouse.worlds()) {
    const world = greenhouse.findWorld(name)
    if (world) yield world
  }
}

function resetWorld(call: Call, world: World): Answer<WorldSummary> {
  const { snapshot } = check(goBackSchema, call.body)
  if (snapshot === undefined) world.reset()
  else {
    world.snapshot(snapshot)
    liveOf(world).reset({}, true)
  }
  return ok(showWorld(world))
}

function putWorld(call: Call): Promise<Answer<WorldSummary>> {
  const { records = {}, ...start } = check(worldSchema, call.body)
  return call.change((world) => {
    world.reset({ ...(start as WorldStart), records: readStartRecords(world, records, start.now) })
    return ok(showWorld(world))
  })
}

/** Answers when all due work is done, deliveries included, so that the next call sees it. */
async function patchClock(call: Call, world: World): Promise<Answer<ClockSummary>> {
  changeClock(world, call.body)
  await waitFor(world.settled())
  return ok(showClock(world))
}
