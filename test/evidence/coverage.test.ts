import { expect, test } from 'vitest'
import { createGreenhouse, type ScenarioName, type World } from 'greenhouse-mock'
import { collectEvidence, coverageOf, mergeEvidence, readEvidence } from 'greenhouse-mock/evidence'
import { requests } from '../malformations/requests.ts'
import { open } from '../support/test-api.ts'
import { toSent } from '../coverage/ways.ts'

const headers = { authorization: 'Bearer key_pro' }
const served = createGreenhouse()

async function cellsOf(operation: string, arrange: (world: World) => void = () => undefined) {
  const { call, greenhouse, world } = open()
  const [method, path, options] = await toSent(requests[operation]!, call, world)
  const collector = collectEvidence(greenhouse)
  arrange(world)
  const answered = call(method, path, options).catch(() => undefined)
  // Skips the delay of the scenario slow.
  await Promise.resolve().then(() => world.clock.advance('10s'))
  await answered
  return collector.end()
}

test('each test that is proposed adds exactly the cells that it promises', async () => {
  let evidence = mergeEvidence(await Promise.all(Object.keys(requests).map((operation) => cellsOf(operation))))
  let coverage = coverageOf(evidence, served)
  expect(Object.keys(requests).length).toBeGreaterThan(40)
  expect(coverage.next).toHaveLength(3)
  while (coverage.next.length > 0) {
    const promised = coverage.next.flatMap(({ adds }) => adds)
    const added = await Promise.all(
      coverage.next.map(({ operation, scenario }) =>
        cellsOf(operation, (world) => world.use(scenario as ScenarioName)),
      ),
    )
    evidence = mergeEvidence([evidence, ...added])
    const after = coverageOf(evidence, served)
    const isNew = (cell: string) => coverage.counts[cell] === 0 && after.counts[cell]! > 0
    expect(Object.keys(after.counts).filter(isNew).sort()).toEqual(promised.sort())
    expect(after.seen).toBe(coverage.seen + promised.length)
    coverage = after
  }
  expect(coverage.counts).toMatchObject({
    'plants.list/401': expect.any(Number),
    'apps.get/broken-body': expect.any(Number),
  })
})

test('faults of deliveries are cells of their events', async () => {
  using greenhouse = createGreenhouse()
  const world = greenhouse.world()
  const collector = collectEvidence(greenhouse)
  const counts = () => coverageOf(readEvidence([world]), served).counts
  expect(counts()).toMatchObject({ 'message.sent/lost': 0, 'message.sent/late': 0, 'scenario/webhook-lost': 0 })
  world.use('webhook-lost')
  await world.trigger('message.sent')
  expect(counts()).toMatchObject({ 'message.sent/lost': 1, 'message.sent/late': 0, 'scenario/webhook-lost': 1 })
  expect(collector.end().cells).toMatchObject({ 'message.sent/lost': 1, 'scenario/webhook-lost': 1 })
})

test('cells can be left out, by name or glob, and a misspelt one is refused', async () => {
  using greenhouse = createGreenhouse()
  await greenhouse.fetch(new Request('http://greenhouse.test/plants', { headers }))
  const evidence = readEvidence([greenhouse.world()])
  const all = coverageOf(evidence, served)
  const plants = coverageOf(evidence, served, ['scenario/*', '*/broken-*', 'plants.list/429'])
  expect(plants).toMatchObject({ seen: 1, counts: { 'plants.list/200': 1 } })
  expect(plants.cells).toBeLessThan(all.cells)
  expect(Object.keys(plants.counts).filter((cell) => /^scenario|broken|plants.list.429/.test(cell))).toEqual([])
  expect(() => coverageOf(evidence, served, ['plants.lst/429'])).toThrow('Did you mean "plants.list/429"?')
})

test('without requests the coverage is 0, and the first tests are suggested', () => {
  const { seen, percent, next } = coverageOf(mergeEvidence([]), served)
  expect([seen, percent, next.length]).toEqual([0, 0, 3])
  expect(next[0]).toMatchObject({
    lines: { vitest: "world.use('expired-key')", http: 'X-Greenhouse-Scenario: expired-key' },
  })
  const ofScenarios = coverageOf(mergeEvidence([]), served, [], ['scenario/*'])
  expect(ofScenarios.next).toEqual([])
})

test('cells are the statuses under the assumptions in force', async () => {
  const seen = async (unknown: '404' | '204') => {
    using greenhouse = createGreenhouse({ assumptions: { 'plants.delete.unknown': unknown } })
    const collector = collectEvidence(greenhouse)
    await greenhouse.fetch(new Request('http://greenhouse.test/plants/424242', { method: 'DELETE', headers }))
    const { counts } = coverageOf(collector.end(), greenhouse)
    expect(Object.keys(counts).filter((cell) => cell.endsWith('NaN'))).toEqual([])
    return Object.keys(counts).filter((cell) => cell.startsWith('plants.delete/') && counts[cell] === 1)
  }
  expect(await seen('404')).toEqual(['plants.delete/404', 'plants.delete/validation'])
  expect(await seen('204')).toEqual(['plants.delete/204'])
})
