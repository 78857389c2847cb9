import { expect, test } from 'vitest'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { everyFault as faults } from '../../parity/every-fault.ts'
import { toScenario } from '../../parity/situations.ts'

const toOwn = (effects: object) => ({ own: { title: 'T', description: 'D', covers: 'C', ...effects } })
const breaks = toOwn({ fault: [{ kind: 'reset' }] })
const fails = toOwn({ respond: [{ error: 'internal_error' }] })

/** The names of faults that MSW has no connection for. */
const refused: Record<string, string> = {
  reset: 'reset',
  'empty-reply': 'empty-reply',
  garbage: 'garbage',
  'truncate, content_length: lying': 'truncate with a lying Content-Length',
}

test.each(faults)('$name is refused by name, or taken', (situation) => {
  const greenhouse = createGreenhouse({ scenarios: { own: toScenario(situation) } })
  createHandlers(greenhouse)
  const use = () => greenhouse.world().use('own')
  const fault = refused[situation.name]
  if (fault === undefined) expect(use).not.toThrow()
  else expect(use).toThrow(`Failed to use the scenario "own": MSW can't produce the fault "${fault}"`)
  expect(greenhouse.world().scenarios).toEqual(fault === undefined ? ['own'] : [])
})

test('a file that every world starts with can not come to hold one', () => {
  const greenhouse = createGreenhouse({ scenarios: fails, use: ['own'] })
  createHandlers(greenhouse)
  expect(() => greenhouse.reload({ scenarios: breaks })).toThrow(`"own": MSW can't produce the fault "reset"`)
  expect(greenhouse.world('new').scenarios).toEqual(['own'])
})

test('a restore that is refused changes no data', async () => {
  const greenhouse = createGreenhouse({ scenarios: breaks })
  const world = greenhouse.world()
  world.use('own')
  world.snapshot('broken')
  world.clear()
  await world.records.plants.create({ id: 5_000, name: 'Fern', account: 'acct_pro' })
  createHandlers(greenhouse)
  expect(() => world.restore('broken')).toThrow(`MSW can't produce the fault "reset"`)
  expect(world.records.plants.get(5_000)).toBeDefined()
})

test('no control call switches one on, and a world that it would have made is not made', async () => {
  const greenhouse = createGreenhouse({ scenarios: breaks })
  greenhouse.world().use('own')
  greenhouse.world().snapshot('broken')
  greenhouse.world().clear()
  createHandlers(greenhouse)
  await using server = await serve(greenhouse)
  for (const [method, path, body] of [
    ['PUT', 'default', { scenarios: ['own'] }],
    ['PUT', 'new', { scenarios: ['own'] }],
    ['PUT', 'new/scenarios', { active: ['own'] }],
    ['POST', 'default/snapshots/broken/restore', undefined],
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${server.url}/__greenhouse/worlds/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    expect({ status: response.status, body: await response.json() }, path).toMatchObject({
      status: 400,
      body: { error: { code: 'unsupported_fault' } },
    })
  }
  expect(greenhouse.worlds()).toEqual(['default'])
  expect(greenhouse.world().scenarios).toEqual([])
})
