import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { apps } from 'greenhouse-mock/apps'
import { createGreenhouse as createFromParts } from 'greenhouse-mock/core'
import { fixtures } from 'greenhouse-mock/fixtures'
import { createHandlers } from 'greenhouse-mock/msw'
import { plants } from 'greenhouse-mock/plants'
import { scenarios } from 'greenhouse-mock/scenarios'
import type { Greenhouse } from 'greenhouse-mock'

const headers = { authorization: 'Bearer key_pro' }
const ask = async (greenhouse: Greenhouse, path: string) => {
  const response = await greenhouse.fetch(new Request(`http://greenhouse.test${path}`, { headers }))
  return { status: response.status, body: await response.json() }
}
const idsOf = (greenhouse: Greenhouse) => greenhouse.scenarios().map(({ name }) => name)

test('one area is served alone: the other is unknown to requests, the document and the journal', async () => {
  const greenhouse = createGreenhouse({ areas: ['plants'] })
  expect((await ask(greenhouse, '/plants')).status).toBe(200)
  expect(await ask(greenhouse, '/v1/apps')).toMatchObject({ status: 404, body: { error: { code: 'missing_area' } } })
  expect(greenhouse.operations().map(({ id }) => id)).toEqual(['plants.create', 'plants.list', 'plants.delete'])
  const { journal } = greenhouse.world()
  expect(journal.calls({ operation: 'plants.list' })).toHaveLength(1)
  expect(() => journal.calls({ operation: 'apps.list' })).toThrow('does not have the area "apps".')
  const other = createGreenhouse({ areas: ['apps'] })
  expect((await ask(other, '/v1/apps')).status).toBe(200)
  expect(await ask(other, '/plants')).toMatchObject({ status: 404, body: { error: { code: 'missing_area' } } })
  expect(createHandlers(other)).toHaveLength(1)
})

test('its worlds keep the data of both, so cases and fixtures fit', () => {
  const plants = [{ id: 77, account: 'acct_pro', name: 'Ficus', tag: 'tree' }]
  const whole = createGreenhouse({ fixtures: { extends: 'default', plants } }).world()
  const { records } = createGreenhouse({ areas: ['apps'], case: whole.toCase() }).world()
  expect(records.plants.get(77)).toMatchObject({ name: 'Ficus' })
  expect(records.apps.all()).not.toEqual([])
})

test.each([
  [
    () => createGreenhouse({ areas: ['plnts' as 'plants'] }),
    'the area "plnts": expected "plants" or "apps". Did you mean "plants"?',
  ],
  [() => createGreenhouse({ areas: [] }), 'Failed to serve no area'],
  [() => createGreenhouse({ areas: 'plants' as never }), 'the option "areas" takes a list of areas'],
  [
    () =>
      createGreenhouse({
        areas: ['plants'],
        scenarios: {
          busy: { title: 'Busy', description: 'Busy', covers: 'Waiting', respond: [{ on: 'apps.list', status: 503 }] },
        },
      }),
    'no operation is called "apps.list". This Greenhouse does not have the area "apps".',
  ],
])('areas that are not there are refused: %#', (create, message) => {
  expect(create).toThrow(message)
})

test.each([
  ['the option', () => createGreenhouse({ areas: ['plants'] })],
  ['parts', () => createFromParts({ areas: [plants], fixtures, scenarios })],
])('of the bundled scenarios, those for this area act, by %s', async (_, create) => {
  const greenhouse = create()
  const world = greenhouse.world()
  expect(idsOf(greenhouse)).toEqual(expect.arrayContaining(['duplicate-ids', 'empty-store', 'strict-service']))
  expect(idsOf(greenhouse)).not.toContain('stream-breaks')
  // They act on both areas.
  world.use('duplicate-ids')
  world.use('strict-service')
  const { body } = await ask(greenhouse, '/plants')
  expect(body[1]).toEqual(body[0])
  world.use('empty-store')
  expect((await ask(greenhouse, '/plants')).body).toEqual([])
  expect(() => world.use('stream-breaks')).toThrow(
    'the option "on" can\'t be "messages.create": no operation is called "messages.create". This Greenhouse does not have the area "apps".',
  )
  expect(() => world.use('expred-key' as 'expired-key')).toThrow('Did you mean "expired-key"?')
  expect(() => world.use('nothing-like-it' as 'slow')).toThrow('there is no such scenario.')
})

test('a bundled scenario with nothing left of it is refused', () => {
  const [onlyPlants, onlyApps] = [plants, apps].map((area) => createFromParts({ areas: [area], fixtures, scenarios }))
  expect(() => onlyPlants!.world().use('certificate-fails')).toThrow(
    'Failed to use the scenario "certificate-fails": it would never act. This Greenhouse does not have the area "apps".',
  )
  expect(() => onlyApps!.world().use('malformed-plant')).toThrow('does not have the area "plants".')
  expect(idsOf(onlyApps!)).toContain('huge-store')
})
