import fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../support/soak.ts'
import {
  compareWorlds,
  controlAll,
  openBuilds,
  sendToAll,
  settleAll,
  type Build,
} from './all-builds.ts'
import { placesOf, type Place } from './paths.ts'
import { noteCreated, toRequest } from './random-request.ts'
import { history, type Step } from './steps.ts'

/** Another one, or that of a failure: fast-check prints it, with the path to the shrunk history. */
const seed = Number(process.env['TEST_SEED'] ?? 20_261_201)

test('source, ESM, CommonJS and the command answer and keep the same, whatever happens', async () => {
  const { builds, world, operations, close } = await openBuilds()
  const places = placesOf(world)
  const asked: string[] = []
  try {
    await fc.assert(
      fc.asyncProperty(history(operations, 120), async (steps) => {
        asked.push(...(await live(builds, places, steps)))
      }),
      { numRuns: times(600, 12), seed },
    )
  } finally {
    await close()
  }
  expect(asked.length).toBeGreaterThan(times(400, 100))
  expect(new Set(asked).size).toBe(operations.length)
})

/** Plays a history in all builds, from the start. Returns the operations that it asked for. */
async function live(
  builds: readonly Build[],
  known: ReadonlyMap<string, readonly Place[]>,
  steps: readonly Step[],
) {
  await controlAll(builds, 'POST', '/reset')
  const created: Place[] = []
  // Which byte is broken goes by the length of the reply, and that of a delivery by how many digits
  // its measured latency has.
  const breaksBytes = /utf8|truncated|garbage/.test(JSON.stringify(steps))
  const asked: string[] = []
  for (const step of steps)
    switch (step.kind) {
      case 'ask': {
        if (step.ask.operation.id.startsWith('deliveries.') && breaksBytes) break
        const [request, key] = toRequest(step.ask, known, created)
        if (request.target.includes('/deliveries')) await settleAll(builds)
        const { head, body } = await sendToAll(builds, request)
        asked.push(step.ask.operation.id)
        noteCreated(created, request, key, Number(head.slice(9, 12)), body)
        break
      }
      case 'clock':
        await settleAll(builds)
        await controlAll(builds, 'PATCH', '/clock', { advance: step.advance })
        break
      case 'reset':
        await controlAll(builds, 'POST', '/reset')
        break
      case 'use':
        await controlAll(builds, 'PUT', '/scenarios', { active: step.scenarios })
        break
      case 'assume':
        await controlAll(builds, 'PATCH', '/assumptions', step.values)
        break
    }
  await compareWorlds(builds)
  return asked
}
