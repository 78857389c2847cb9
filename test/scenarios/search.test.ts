import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { testControl, expectControlError } from '../support/control.ts'

const own = (more: object) => ({ title: 'T', description: 'D', covers: 'C', respond: [{ status: 500 }], ...more })

const scenarios = {
  'brew-coffee': own({ tags: ['teapot'] }),
  'kettle-boils': own({ title: 'The teapot sings' }),
  'teapot-short': own({}),
  stout: own({ description: 'Here is my TEAPOT handle.' }),
  spout: own({
    options: { pour: { description: 'Which teapot', default: 'one' }, status: { default: 5000 } },
    respond: [{ status: 500, text: '${pour} ${status}' }],
  }),
  unrelated: own({}),
}

const greenhouse = createGreenhouse({ scenarios })
const find = (search: string) => greenhouse.scenarios({ search }).map(({ name }) => name)

test('a search looks in names, titles, tags, sentences and options, and ranks them in this order', () => {
  expect(find('teapot')).toEqual(['teapot-short', 'kettle-boils', 'brew-coffee', 'spout', 'stout'])
})

test('all words of a search must be found, in any letter case and any place', () => {
  expect(find('Teapot SINGS')).toEqual(['kettle-boils'])
  expect(find('teapot absent')).toEqual([])
})

test('a number is found as a whole only', () => {
  expect(
    createGreenhouse({ scenarios: { own: own({ description: 'It takes 4290 years.' }) } })
      .scenarios({ search: '429' })
      .map(({ name }) => name),
  ).not.toContain('own')
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
    expect(
      createGreenhouse()
        .scenarios({ search })
        .map((scenario) => scenario.name),
    ).toContain(name)
  })

test('every bundled scenario has at least one tag', () => {
  expect(
    createGreenhouse()
      .scenarios()
      .filter(({ tags }) => tags.length === 0)
      .map(({ name }) => name),
  ).toEqual([])
})

testControl('the control API searches scenarios too', async ({ control }) => {
  const { status, body } = await control('GET', '/scenarios?search=429%20day')
  expect([status, body.data[0].name]).toEqual([200, 'rate-limited-day'])
  expect((await control('GET', '/scenarios?search=nothing-like-it')).body).toEqual({ data: [] })
  expectControlError(await control('GET', '/scenarios?serch=429'), 400, 'invalid_request')
})
