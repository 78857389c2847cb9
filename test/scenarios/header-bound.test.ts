import { expect } from 'vitest'
import { heapInUse } from '../memory/heap.ts'
import { adapters } from '../support/adapters.ts'
import { testApi } from '../support/test-api.ts'

const name = (count: number) => Array.from({ length: count }, (_, index) => `slow:ms=${index}`).join(', ')

testApi(
  'a header names at most 32 scenarios: one more is 400 that says so, and nothing is done',
  async ({ call, world }) => {
    const taken = await call('GET', '/v1/apps', {
      headers: { 'X-Greenhouse-Scenario': Array(32).fill('legacy-rate-limit-headers').join(',') },
    })
    expect(taken.status).toBe(200)
    const before = world.records.apps.count()
    const refused = await call('POST', '/v1/apps', {
      body: { name: 'x' },
      headers: { 'X-Greenhouse-Scenario': name(33) },
    })
    expect(refused.status).toBe(400)
    expect(refused.body).toEqual({
      error: { code: 'too_many_scenarios', message: 'Failed to use 33 scenarios: a request can name at most 32.' },
    })
    expect(world.records.apps.count()).toBe(before)
  },
)

testApi(
  '64 header scenarios are remembered; the least recently named one starts over',
  {},
  async ({ call }) => {
    const fails = async (failures: number) =>
      (await call('GET', '/v1/apps', { headers: { 'X-Greenhouse-Scenario': `flaky:failures=${failures}` } })).status >=
      500
    expect(await fails(1)).toBe(true)
    expect(await fails(1)).toBe(false)
    for (let failures = 2; failures < 65; failures++) expect(await fails(failures)).toBe(true)
    expect(await fails(1), 'named between').toBe(false)
    for (let failures = 65; failures < 130; failures++) expect(await fails(failures)).toBe(true)
    expect(await fails(1), 'forgotten').toBe(true)
  },
  adapters.slice(0, 1),
)

testApi(
  'the bound holds when few headers name many scenarios each',
  {},
  async ({ call }) => {
    const status = async (scenarios: string) =>
      (await call('GET', '/v1/apps', { headers: { 'X-Greenhouse-Scenario': scenarios } })).status
    const flaky = 'flaky:failures=1'
    expect([await status(flaky), await status(flaky)]).toEqual([500, 200])
    const many = Array.from({ length: 64 }, (_, index) => `flaky:failures=${index + 2}`)
    for (const named of [many.slice(32), many.slice(0, 32)]) await status(named.join(`,${' '.repeat(20)}`))
    expect([await status(flaky), await status(flaky)]).toEqual([500, 200])
  },
  adapters.slice(0, 1),
)

const own = {
  title: 'Own',
  description: 'It fails once with a text of your own.',
  covers: 'Texts.',
  options: { text: { default: '' } },
  respond: [{ on: 'plants.list', status: 503, body: { text: '${text}' }, times: 1 }],
}

testApi(
  'what headers make a world remember is small, however long they are',
  { scenarios: { own } },
  async ({ call, greenhouse }) => {
    const long = (number: number) =>
      Array.from({ length: 20 }, (_, index) => `own:text=${String(number).padStart(500, 'x')}${index}`).join(',')
    const ask = (number: number) => call('GET', '/plants', { headers: { 'X-Greenhouse-Scenario': long(number) } })
    for (let number = 0; number < 100; number++) expect((await ask(number)).status).toBe(503)
    expect((await ask(99)).status, 'the text is remembered').toBe(200)
    greenhouse.world().journal.clear()
    const before = heapInUse()
    for (let number = 100; number < 400; number++) await ask(number)
    greenhouse.world().journal.clear()
    expect(heapInUse() - before).toBeLessThan(2 ** 20)
  },
  adapters.slice(0, 1),
)
