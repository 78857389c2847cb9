import { expect, test } from 'vitest'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'

const refusal =
  'Failed to use the scenario "connection-reset": MSW can\'t produce the fault "reset", which needs a connection of its own. Use serve()'

/** A Greenhouse behind MSW with a scenario that is active. */
function createBehindMsw() {
  const greenhouse = createGreenhouse()
  createHandlers(greenhouse)
  const world = greenhouse.world()
  world.use('server-error')
  return { greenhouse, world }
}

test('a fault that MSW cannot produce is refused in code, and the active scenarios stay', () => {
  const { greenhouse, world } = createBehindMsw()
  expect(() => world.use('connection-reset')).toThrow(refusal)
  expect(() => world.useOnly(['slow', 'connection-reset'])).toThrow(refusal)
  expect(() => world.reset({ scenarios: ['connection-reset'] })).toThrow(refusal)
  expect(() => greenhouse.world('another').use('connection-reset')).toThrow(refusal)
  expect(world.scenarios).toEqual(['server-error'])
  world.use('network-error')
  world.use('timeout')
})

test('handlers are refused where such a scenario is active already, or will be in every world', () => {
  expect(() => createHandlers(createGreenhouse({ use: ['connection-reset'] }))).toThrow(refusal)
  const greenhouse = createGreenhouse()
  greenhouse.world('somewhere').use('connection-reset')
  expect(() => createHandlers(greenhouse)).toThrow(refusal)
  greenhouse.world('somewhere').clear()
  createHandlers(greenhouse)
})

test('a snapshot that has it active is not restored once there are handlers', () => {
  const greenhouse = createGreenhouse()
  const world = greenhouse.world()
  world.use('connection-reset')
  world.snapshot('reset')
  world.clear()
  createHandlers(greenhouse)
  expect(() => world.restore('reset')).toThrow(refusal)
  expect(world.scenarios).toEqual([])
})

test('a scenario whose file turns into one stays as it was where it is active', () => {
  const own = (respond: object) => ({ own: { title: 'T', description: 'D', covers: 'C', ...respond } })
  const greenhouse = createGreenhouse({ scenarios: own({ respond: [{ status: 418 }] }) })
  createHandlers(greenhouse)
  greenhouse.world().use('own')
  const kept = greenhouse.reload({ scenarios: own({ fault: [{ kind: 'reset' }] }) })
  expect(kept).toEqual({
    records: [],
    scenarios: [
      { world: 'default', scenario: 'own', reason: expect.stringContaining('MSW can\'t produce the fault "reset"') },
    ],
  })
  expect(() => greenhouse.world('new').use('own')).toThrow('MSW can\'t produce the fault "reset"')
})

test('a header and the control API are answered 400 unsupported_fault', async () => {
  const { greenhouse, world } = createBehindMsw()
  const headers = { authorization: 'Bearer key_pro', 'x-greenhouse-scenario': 'connection-reset' }
  const reply = await greenhouse.fetch(new Request('http://any/plants', { headers }))
  expect([reply.status, await reply.json()]).toEqual([
    400,
    { error: { code: 'unsupported_fault', message: expect.stringContaining(refusal) } },
  ])
  await using server = await serve(greenhouse)
  const change = await fetch(`${server.url}/__greenhouse/worlds/default/scenarios`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"active":["connection-reset"]}',
  })
  expect([change.status, await change.json()]).toEqual([
    400,
    { error: { code: 'unsupported_fault', message: expect.stringContaining(refusal) } },
  ])
  expect(world.scenarios).toEqual(['server-error'])
})

test('an inline scenario with such a fault is refused in the same way', () => {
  const { greenhouse, world } = createBehindMsw()
  const reset = { title: 'gone', fault: [{ kind: 'reset', on: 'apps.*' }] } as const
  const inline = refusal.replace('connection-reset', 'inline-gone')
  expect(() => world.use(reset)).toThrow(inline)
  expect(() => world.useOnly(['slow', reset])).toThrow(inline)
  expect(world.scenarios).toEqual(['server-error'])
  expect(() => createHandlers(createGreenhouse({ use: [reset] }))).toThrow(inline)
  greenhouse.world('another').use({ fault: [{ kind: 'network-error' }] })
})
