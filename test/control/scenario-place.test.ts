import { expect } from 'vitest'
import { testControl, expectControlError } from '../support/control.ts'

const scenarios = '/worlds/default/scenarios'

testControl(
  'scenarios are switched on at a place among the others, whose counts stay',
  async ({ control, greenhouse }) => {
    const world = greenhouse.world()
    for (const name of ['flaky', 'slow'] as const) world.use(name)
    const send = async () =>
      (await greenhouse.fetch(new Request('http://any/plants', { headers: { authorization: 'Bearer key_pro' } })))
        .status
    const before = world.active
    await send()
    const add = (active: unknown[], place: unknown) => control('POST', scenarios, { active, place })
    expect((await add(['clock-skew', 'forbidden'], 0)).status).toBe(200)
    expect(world.scenarios).toEqual(['clock-skew', 'forbidden', 'flaky', 'slow'])
    await add(['clock-skew'], 2)
    expect(world.scenarios).toEqual(['forbidden', 'flaky', 'clock-skew', 'slow'])
    await add(['forbidden'], 99)
    expect(world.scenarios).toEqual(['flaky', 'clock-skew', 'slow', 'forbidden'])
    expect(world.active[0]).toEqual(before[0])
    expectControlError(
      await add(['slow'], -1),
      400,
      'invalid_request',
      /place: expected a place: a whole number, 0 or more/,
    )
    expectControlError(await control('PUT', scenarios, { active: [], place: 0 }), 400, 'invalid_request', /place/)
  },
)
