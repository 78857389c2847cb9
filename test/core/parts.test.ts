import { expect, test } from 'vitest'
import { apps, createGreenhouse as fromParts, fixtures, ownFixtures, journal } from 'greenhouse-mock/parts'
import { judge, plants, ownScenarios, scenarios, webhookTools } from 'greenhouse-mock/parts'
import { recognizeAcrossBuilds } from '../../src/core/contract/across-builds.ts'
import { createGreenhouse, type Greenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { toInit } from '../support/test-api.ts'

const now = '2026-01-31T12:00:00Z'

const requests: readonly (readonly [method: string, path: string, body?: unknown, headers?: Record<string, string>])[] =
  [
    ['GET', '/plants?limit=3'],
    ['POST', '/plants', { id: 7_001, name: 'Fern' }],
    ['POST', '/plants', { name: 5, tga: '' }],
    ['DELETE', '/plants/7001'],
    ['DELETE', '/plants/none'],
    ['GET', '/plant'],
    ['PUT', '/plants'],
    ['GET', '/plants', undefined, { authorization: 'Bearer nobody' }],
    ['GET', '/plants', undefined, { 'x-greenhouse-scenario': 'rate-limited-plan' }],
    ['GET', '/plants', undefined, { 'x-greenhouse-scenario': 'rate-limitd-plan' }],
    ['GET', '/v1/apps?limit=1'],
    ['POST', '/v1/apps', { name: 'fern-friend' }, { 'idempotency-key': 'one' }],
    ['POST', '/v1/apps', { name: 'fern-friend' }, { 'idempotency-key': 'one' }],
    ['GET', '/v1/account'],
    ['POST', '/v1/credits/purchases', { amount: 0, payment_method: 'none' }],
  ]

async function transcript(greenhouse: Greenhouse) {
  const replies = []
  for (const [method, path, body, headers] of requests) {
    const init = toInit(method, { body, ...(headers && { headers }) })
    const response = await greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init))
    replies.push({ status: response.status, headers: [...response.headers], body: await response.text() })
  }
  const { journal: kept, records, assumptions } = greenhouse.world()
  const entries = kept.calls().map((entry) => ({ ...entry, ms: 0 }))
  return { replies, entries, violations: kept.violations(), plants: records.plants.all(), assumptions }
}

const parts = { fixtures, scenarios, journal: journal(), judge, webhookTools }
const everything = { areas: [apps, plants], ...parts, now, frozen: true }

test('with every part it answers and keeps what the whole one does', async () => {
  const whole = await transcript(createGreenhouse({ now, frozen: true }))
  expect(whole.replies.map(({ status }) => status)).toEqual([
    200, 200, 400, 204, 400, 404, 404, 401, 429, 400, 200, 201, 201, 200, 400,
  ])
  expect(await transcript(fromParts(everything))).toEqual(whole)
})

test('it lists the same operations, scenarios, assumptions and variants as the whole one', () => {
  const [whole, made] = [createGreenhouse({ now }), fromParts(everything)]
  for (const name of ['operations', 'scenarios', 'assumptions', 'variants'] as const)
    expect(made[name]()).toEqual(whole[name]())
  expect(made.scenarios({ search: '429' })).toEqual(whole.scenarios({ search: '429' }))
})

test('webhooks are triggered and graded as by the whole one', async () => {
  const [whole, made] = [createGreenhouse({ now, frozen: true }), fromParts(everything)]
  const told = async (greenhouse: Greenhouse) => {
    const [delivery] = await greenhouse.world().trigger('webhook.test')
    return { delivery, grade: greenhouse.world().grade(delivery!.webhook_id) }
  }
  expect(await told(made)).toEqual(await told(whole))
})

test('the plants alone answer as they do together with the apps', async () => {
  const alone = fromParts({ areas: [plants], fixtures, scenarios, journal: journal(), judge, now, frozen: true })
  const { replies } = await transcript(alone)
  const whole = await transcript(createGreenhouse({ now, frozen: true }))
  expect(replies.slice(0, 10)).toEqual(whole.replies.slice(0, 10))
  expect(alone.operations().map(({ id }) => id)).toEqual(['plants.create', 'plants.list', 'plants.delete'])
  const names = alone.scenarios().map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['duplicate-ids', 'webhook-late', 'plan-upgrade']))
  expect(names).not.toContain('stream-breaks')
})

const about = { title: 'Own', description: 'Own.', covers: 'Own.' }
const ann = { id: 'ann', name: 'Ann', email: 'ann@example.com', plan: 'free' } as const

async function ask(greenhouse: Greenhouse, path: string, key = 'key_pro') {
  const headers = { authorization: `Bearer ${key}` }
  const response = await greenhouse.fetch(new Request(`http://greenhouse.test${path}`, { headers }))
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

test('worlds start with records as world.records has them', async () => {
  const greenhouse = fromParts({
    areas: [plants],
    records: {
      accounts: [ann],
      keys: [{ secret: 'key_ann', account: 'ann' }],
      plants: [{ id: 1, name: 'Fern', account: 'ann' }],
    },
  })
  greenhouse.world('one').records.plants.delete(1)
  expect((await ask(greenhouse, '/plants', 'key_ann@one')).body).toEqual([])
  expect((await ask(greenhouse, '/plants', 'key_ann@other')).body).toEqual([{ name: 'Fern' }])
})

test('it takes your own fixtures and scenarios', async () => {
  const greenhouse = fromParts({
    areas: [plants],
    fixtures: ownFixtures({
      accounts: [ann],
      keys: [{ secret: 'key_ann', account: 'ann', expires_at: '2099-01-31T12:00:00Z' }],
    }),
    scenarios: ownScenarios({ wilted: { ...about, respond: [{ on: 'plants.*', status: 418 }] } }),
  })
  greenhouse.world().use('wilted')
  expect((await ask(greenhouse, '/plants', 'key_ann')).status).toBe(418)
  expect(greenhouse.scenarios().map(({ name }) => name)).toEqual(['wilted'])
})

const idsOf = (greenhouse: Greenhouse) => greenhouse.scenarios().map(({ name }) => name)

test('one area is served alone: the other is unknown to requests, the document and the journal', async () => {
  const greenhouse = createGreenhouse({ areas: ['plants'] })
  expect((await ask(greenhouse, '/plants')).status).toBe(200)
  expect(await ask(greenhouse, '/v1/apps')).toMatchObject({ status: 404, body: { error: { code: 'missing_area' } } })
  expect(greenhouse.operations().map(({ id }) => id)).toEqual(['plants.create', 'plants.list', 'plants.delete'])
  const { journal } = greenhouse.world()
  expect(journal.calls({ operation: 'plants.list' })).toHaveLength(1)
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

const busy = { ...about, respond: [{ on: 'apps.list' as const, status: 503 }] }

test.each<[options: GreenhouseOptions, message: string]>([
  [{ areas: ['plnts' as 'plants'] }, 'the area "plnts": expected "plants" or "apps". Did you mean "plants"?'],
  [{ areas: [] }, 'Failed to serve no area'],
  [{ areas: 'plants' as never }, 'the option "areas" takes a list of areas'],
  [{ areas: ['plants'], scenarios: { busy } }, '"apps.list". This Greenhouse does not have the area "apps".'],
])('areas that are not there are rejected: %#', (options, message) => {
  expect(() => createGreenhouse(options)).toThrow(message)
})

test.each([
  ['the option', () => createGreenhouse({ areas: ['plants'] })],
  ['parts', () => fromParts({ areas: [plants], fixtures, scenarios })],
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
  const [onlyPlants, onlyApps] = [plants, apps].map((area) => fromParts({ areas: [area], fixtures, scenarios }))
  expect(() => onlyPlants!.world().use('certificate-fails')).toThrow(
    'Failed to use the scenario "certificate-fails": it would never act. This Greenhouse does not have the area "apps".',
  )
  expect(() => onlyApps!.world().use('malformed-plant')).toThrow('does not have the area "plants".')
  expect(idsOf(onlyApps!)).toContain('huge-store')
})

test('an error of one build is an instance of the same class of another, and nothing else is', () => {
  const [Imported, Required, Other] = [class {}, class {}, class {}]
  recognizeAcrossBuilds(Imported, 'test')
  recognizeAcrossBuilds(Required, 'test')
  recognizeAcrossBuilds(Other, 'other')
  const values = [new Imported(), new Required(), new Other(), {}, null, 'text']
  expect(values.map((value) => value instanceof Required)).toEqual([true, true, false, false, false, false])
})
