import { expect, test } from 'vitest'
import { cases } from '../coverage/cases/index.ts'
import { toSent } from '../coverage/ways.ts'
import { adapters, type Adapter } from '../support/adapters.ts'
import { soaks, times } from '../support/soak.ts'
import { createCaller, toInit } from '../support/test-api.ts'
import { ask, keptBy, openAlike } from './transcript.ts'

/**
 * One way to a status of an operation, for one in three unless the tests run at full size; all of
 * them lead through the core in test/coverage.
 */
const all = Object.entries(cases)
  .flatMap(([operation, ways]) =>
    Object.entries(ways).flatMap(([status, asked]) =>
      (soaks ? asked : asked.slice(0, 1)).map(([what, prepared]) => ({
        name: `${operation} ${status}, ${what}`,
        status: Number(status),
        prepared,
      })),
    ),
  )
  .filter((_, index) => index % times(1, 3) === 0)

test('every adapter gives and records the same bytes for the statuses of operations', async () => {
  const [core, ...others] = adapters
  const expected = await transcribe(core!)
  expect(expected.map(({ got }) => got.reply?.status)).toEqual(all.map(({ status }) => status))
  for (const adapter of others)
    for (const [index, one] of (await transcribe(adapter)).entries())
      expect(one, `${adapter.name}: ${all[index]!.name}`).toEqual(expected[index])
})

async function transcribe(adapter: Adapter) {
  const { greenhouse, world, send, close } = await openAlike(adapter)
  const call = createCaller(send)
  const transcript = []
  for (const { prepared } of all) {
    world.reset()
    const [method, path, asked] = await toSent(prepared, call, world)
    const init = toInit(method, asked)
    transcript.push({ got: await ask(send, [path, init]), kept: await keptBy(greenhouse) })
  }
  await close()
  return transcript
}
