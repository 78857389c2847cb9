import { expect, onTestFinished, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { cases } from '../coverage/cases/index.ts'
import { toSent } from '../coverage/ways.ts'
import { take } from '../parity/observe.ts'
import { times } from '../support/soak.ts'
import { createCaller, start, toInit } from '../support/test-api.ts'
import { standInFront } from './in-front.ts'

/** One way to a status of an operation, for one in three unless the tests run at full size. */
const all = Object.entries(cases)
  .flatMap(([operation, ways]) =>
    Object.entries(ways).flatMap(([status, [first]]) =>
      first === undefined
        ? []
        : [{ name: `${operation} ${status}, ${first[0]}`, prepared: first[1] }],
    ),
  )
  .filter((_, index) => index % times(1, 3) === 0)

test('the statuses of operations come through as they are, and the judge agrees with it', async () => {
  const target = createGreenhouse({ now: start, frozen: true, trace: false })
  const real = await serve(target)
  onTestFinished(() => real.close())
  const front = await standInFront({ plants: real.url, apps: `${real.url}/v1` })
  const world = target.world()
  const direct = (path: string, init?: RequestInit) => fetch(real.url + path, init)
  const through = (path: string, init?: RequestInit) => fetch(front.url + path, init)
  const judged: unknown[] = []
  for (const { name, prepared } of all) {
    const live = async (send: typeof direct) => {
      world.reset()
      const [method, path, asked] = await toSent(prepared, createCaller(direct), world)
      return take(() => send(path, toInit(method, asked)))
    }
    expect(await live(through), name).toEqual(await live(direct))
    const [entry] = front.world.journal.calls({ limit: 1 })
    const changed =
      world.scenarios.length > 0 ||
      JSON.stringify(world.assumptions) !== JSON.stringify(front.world.assumptions)
    if (entry?.reply_violations && !changed) judged.push([name, entry.reply_violations])
  }
  expect(judged).toEqual([])
})
