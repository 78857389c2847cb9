import { expect, onTestFinished, test, vi } from 'vitest'
import { recognizeAcrossBuilds } from '../../src/core/contract/builds.ts'
import { createGreenhouse, type Greenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'

const about = { title: 'Own', description: 'Own.', covers: 'Own.' }

async function ask(greenhouse: Greenhouse, path: string, key = 'key_pro') {
  const headers = { authorization: `Bearer ${key}` }
  const response = await greenhouse.fetch(new Request(`http://greenhouse.test${path}`, { headers }))
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const idsOf = (greenhouse: Greenhouse) => greenhouse.scenarios().map(({ name }) => name)

test('one area is served alone: the other is unknown to requests, the document and the journal', async () => {
  const greenhouse = createGreenhouse({ areas: ['plants'] })
  expect((await ask(greenhouse, '/plants')).status).toBe(200)
  expect(await ask(greenhouse, '/v1/apps')).toMatchObject({
    status: 404,
    body: { error: { code: 'missing_area' } },
  })
  expect(greenhouse.operations().map(({ id }) => id)).toEqual([
    'plants.create',
    'plants.list',
    'plants.delete',
  ])
  const { journal } = greenhouse.world()
  expect(journal.calls({ operation: 'plants.list' })).toHaveLength(1)
  const other = createGreenhouse({ areas: ['apps'] })
  expect((await ask(other, '/v1/apps')).status).toBe(200)
  expect(await ask(other, '/plants')).toMatchObject({
    status: 404,
    body: { error: { code: 'missing_area' } },
  })
  expect(createHandlers(other)).toHaveLength(1)
})

test('its worlds keep the data of both, so cases and fixtures fit', () => {
  const plants = [{ id: 77, account: 'acct_pro', name: 'Ficus', tag: 'tree' }]
  const whole = createGreenhouse({ fixtures: { extends: 'default', plants } }).world()
  const { records } = createGreenhouse({ areas: ['apps'], case: whole.toCase() }).world()
  expect(records.plants.get(77)).toMatchObject({ name: 'Ficus' })
  expect(records.apps.all()).not.toEqual([])
})

const busy = { ...about, respond: [{ on: 'apps.list' as const, status: 503 }] }

test.each<[options: GreenhouseOptions, message: string]>([
  [
    { areas: ['plnts' as 'plants'] },
    'the area "plnts": expected "plants" or "apps". Did you mean "plants"?',
  ],
  [{ areas: [] }, 'Failed to serve no area'],
  [{ areas: 'plants' as never }, 'areas: expected a list of areas'],
  [
    { areas: ['plants'], scenarios: { busy } },
    '"apps.list". This Greenhouse does not have the area "apps".',
  ],
])('areas that are not there are rejected: %#', (options, message) => {
  expect(() => createGreenhouse(options)).toThrow(message)
})

test('bundled scenarios of the served area act', async () => {
  const greenhouse = createGreenhouse({ areas: ['plants'] })
  const world = greenhouse.world()
  expect(idsOf(greenhouse)).toEqual(
    expect.arrayContaining(['duplicate-ids', 'empty-store', 'strict-service']),
  )
  expect(idsOf(greenhouse)).not.toContain('stream-breaks')
  expect(idsOf(createGreenhouse())).toEqual(expect.arrayContaining(idsOf(greenhouse)))
  // They act on both areas.
  world.use('duplicate-ids')
  world.use('strict-service')
  const { body } = await ask(greenhouse, '/plants')
  expect(body[1]).toEqual(body[0])
  world.use('empty-store')
  expect((await ask(greenhouse, '/plants')).body).toEqual([])
  const message = 'it would never act. This Greenhouse does not have the area "apps".'
  expect(() => world.use('stream-breaks')).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(message),
      code: 'GREENHOUSE_INVALID_SCENARIO',
    }),
  )
  expect(() => world.use('expred-key' as 'expired-key')).toThrow('Did you mean "expired-key"?')
  expect(() => world.use('nothing-like-it' as 'slow')).toThrow('there is no such scenario.')
})

test('a journal operation or a base URL of a missing area names the area', () => {
  const greenhouse = createGreenhouse({ areas: ['plants'] })
  const world = greenhouse.world()
  expect(() => world.journal.calls({ operation: 'apps.list' })).toThrow(
    'does not have the area "apps".',
  )
  expect(() => createHandlers(greenhouse, { apps: 'https://apps.test/v1' })).toThrow(
    /^Failed to answer below https:\/\/apps\.test\/v1: .*does not have the area "apps"\./,
  )
})

test('a global that is not there is named at once', () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('btoa', undefined)
  expect(() => createGreenhouse()).toThrow('Failed to start Greenhouse: there is no btoa here.')
})

test('an error of one build is an instance of the same class of another, and nothing else is', () => {
  const [Imported, Required, Other] = [class {}, class {}, class {}]
  recognizeAcrossBuilds(Imported, 'test')
  recognizeAcrossBuilds(Required, 'test')
  recognizeAcrossBuilds(Other, 'other')
  const values = [new Imported(), new Required(), new Other(), {}, null, 'text']
  expect(values.map((value) => value instanceof Required)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
