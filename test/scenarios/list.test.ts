import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { defineOperation } from 'greenhouse-mock/config'
import { expectControlError, testControl } from '../support/control.ts'
import { open, testApi } from '../support/test-api.ts'
import { own } from './helpers.ts'

const withTags = (more: object) => ({
  title: 'T',
  description: 'D',
  covers: 'C',
  respond: [{ status: 500 }],
  ...more,
})

const scenarios = {
  'brew-coffee': withTags({ tags: ['teapot'] }),
  'kettle-boils': withTags({ title: 'The teapot sings' }),
  'teapot-short': withTags({}),
  stout: withTags({ description: 'Here is my TEAPOT handle.' }),
  spout: withTags({
    options: { pour: { description: 'Which teapot', default: 'one' }, status: { default: 5000 } },
    respond: [{ status: 500, text: '${pour} ${status}' }],
  }),
  unrelated: withTags({}),
}

const greenhouse = createGreenhouse({ scenarios })
const find = (search: string) => greenhouse.scenarios({ search }).map(({ name }) => name)

test('a search looks in names, titles, tags, sentences and options, and ranks them in this order', () => {
  expect(find('teapot')).toEqual(['teapot-short', 'kettle-boils', 'brew-coffee', 'spout', 'stout'])
})

test('all words of a search must be found, in any letter case and any place', () => {
  expect(find('Teapot SINGS')).toEqual(['kettle-boils'])
  expect(find('teapot absent')).toEqual([])
  expect(greenhouse.scenarios({ search: 'sings' })).toMatchObject([{ tags: [] }])
})

test('a number is found as a whole only', () => {
  const own = createGreenhouse({
    scenarios: { own: withTags({ description: 'It takes 4290 years.' }) },
  })
  expect(own.scenarios({ search: '429' }).map(({ name }) => name)).not.toContain('own')
})

for (const [search, name] of [
  ['429', 'rate-limited-plan'],
  ['retry', 'flaky'],
  ['slow', 'slow'],
  ['timeout', 'timeout'],
  ['500', 'server-error'],
  ['offline', 'network-error'],
  ['json', 'truncated-json'],
  ['webhook twice', 'webhook-duplicate'],
  ['expired', 'expired-key'],
])
  test(`a search for "${search}" finds ${name}`, () => {
    const found = createGreenhouse().scenarios({ search })
    expect(found.map((scenario) => scenario.name)).toContain(name)
  })

test('every bundled scenario has at least one tag', () => {
  const scenarios = createGreenhouse().scenarios()
  expect(scenarios.filter(({ tags }) => tags.length === 0)).toEqual([])
})

testControl('the control API searches scenarios too', async ({ control }) => {
  const { status, body } = await control('GET', '/scenarios?search=429%20day')
  expect([status, body.data[0].name]).toEqual([200, 'rate-limited-day'])
  expect((await control('GET', '/scenarios?search=nothing-like-it')).body).toEqual({ data: [] })
  expectControlError(await control('GET', '/scenarios?serch=429'), 400, 'invalid_request')
})

const ok = { status: 200, body: {} }
const actsOn: [effects: Record<string, unknown>, actsOn: string[]][] = [
  [{ respond: [{ ...ok, on: 'plants.*' }] }, ['plants']],
  [{ respond: [{ ...ok, on: ['deployments.list', 'apps.get'] }] }, ['apps']],
  [{ respond: [ok] }, ['plants', 'apps']],
  [{ respond: [{ ...ok, on: 'apps.list' }], deliver: [{ kind: 'lost' }] }, ['apps', 'webhooks']],
  [{ deliver: [{ kind: 'late' }] }, ['webhooks']],
  [{ account: [{ plan: 'lite' }] }, ['apps']],
  [{ records: [{ collection: 'plants', keep: 'none' }] }, ['plants']],
  [{ records: [{ collection: 'webhooks', keep: 'none' }] }, ['apps']],
  [{ records: [{ collection: 'accounts', keep: 'none' }] }, ['plants', 'apps']],
  [{ records: [{ collection: 'keys', keep: 'none' }] }, ['plants', 'apps']],
  [{ assume: { 'plants.delete.unknown': 204 } }, ['plants']],
  [{ assume: { 'webhooks.retries': 'none' } }, ['apps']],
  [{ assume: { 'rate-limit.window': 'sliding' } }, ['apps']],
  [{ assume: { 'http.head': '404' } }, ['plants', 'apps']],
]

test('a scenario lists the areas that its effects can act on, and whether they act on webhooks', () => {
  for (const [effects, expected] of actsOn) {
    const ours = createGreenhouse({ scenarios: own(effects) })
      .scenarios()
      .find(({ name }) => name === 'own')
    expect(ours!.acts_on, JSON.stringify(effects)).toEqual(expected)
  }
})

const places = 'list.lists.a.ab.aab.abb.abab.ba.xabxb.xaxb'.split('.')
const operations = places.slice(1).map((place) =>
  defineOperation({
    id: `plants.${place}`,
    method: 'GET',
    path: `/plants/${place}/it`,
    handle: () => ({}),
  }),
)

/** What a scenario answers, by the ends of the operations' ids. */
const patterns: [on: string | string[], meant: string][] = [
  ['*', places.join(' ')],
  ['plants.*', places.join(' ')],
  ['*.list', 'list'],
  ['p*l*t', 'list'],
  ['plants.list', 'list'],
  ['plants.a*b', 'ab aab abb abab'],
  ['plants.ab*ab', 'abab'],
  ['plants.a**a*b', 'aab abab'],
  ['plants.*b*a*', 'abab ba'],
  ['plants.*ab*b', 'abb abab xabxb'],
  [['plants.ba', '*.a'], 'a ba'],
]

test.each(patterns)('a scenario on %j acts on %s', async (on, meant) => {
  const { call, world } = open({ operations })
  world.use({ respond: [{ on, status: 418 }] } as never)
  const found: string[] = []
  for (const place of places) {
    const { status } = await call('GET', place === 'list' ? '/plants' : `/plants/${place}/it`)
    if (status === 418) found.push(place)
  }
  expect(found.join(' ')).toBe(meant)
})

test.each(['p*x*t', 'plants.lis', 'plants?list', 'plantsxlist', 'pla*ants.list', '', '('])(
  'no scenario is on %j, which means no operation',
  (on) => {
    expect(() => open().world.use({ respond: [{ on, status: 418 }] } as never)).toThrow(/\bon: /)
  },
)

testApi(
  'every bundled scenario leaves what it does not mean, and everything once cleared',
  {},
  async (client) => {
    const { greenhouse, world, call } = client
    const look = async (path: string) => {
      const { status, text, headers } = await call('GET', path)
      const kept = [...headers].filter(
        ([name]) => !/^x-(request-id|ratelimit-remaining|greenhouse)$/.test(name),
      )
      return { status, text, kept }
    }
    const [plants, apps] = [await look('/plants'), await look('/v1/apps')]
    const scoped: string[] = []
    for (const { name, options } of greenhouse.scenarios()) {
      if (options['on'] && name !== 'malformed-reply') {
        scoped.push(name)
        world.use(name as never, { on: 'apps.*' } as never)
        expect(await look('/plants'), name).toEqual(plants)
        expect(world.journal.calls().at(-1)!.scenarios, name).toEqual([])
      } else world.use(name as never)
      world.clear()
      expect(await look('/plants'), name).toEqual(plants)
      expect(await look('/v1/apps'), name).toEqual(apps)
    }
    expect(scoped.length).toBeGreaterThan(30)
  },
)

test.each([
  ['offline', 'network-error'],
  ['Failed to fetch', 'network-error'],
  ['CORS', 'network-error'],
  ['cookies are not sent', 'missing-key'],
  ['empty page', 'empty-store'],
  ['spinner for ever', 'timeout'],
  ['429 in CI only', 'rate-limited-minute'],
  ['webhook never comes', 'webhook-lost'],
  ['signature does not match', 'webhook-bad-signature'],
  ['works in the mock, fails against the real service', 'strict-service'],
])('who searches for "%s" finds %s', (symptom, name) => expect(find(symptom)).toContain(name))
