import { afterEach, describe, expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { loadFixtures } from 'greenhouse-mock/node'
import { mountPanel } from 'greenhouse-mock/panel'
import { serve } from 'greenhouse-mock/server'
import { createWithWorld } from 'greenhouse-mock/testing'
import { createTest } from 'greenhouse-mock/vitest'
import { expectLineOfCaller } from '../support/problems.ts'

const greenhouse = createGreenhouse()
const world = greenhouse.world()
const { plants } = world.records
const wrong: any = { wrong: 1 }
const unknown: any = { assumptions: { 'plants.delte.unknown': '204' } }

/** What `options.test.ts` does not call with a mistake, or with another kind of mistake. */
const mistakes: Record<string, () => unknown> = {
  createGreenhouse: () => createGreenhouse(wrong),
  'createGreenhouse with wrong fixtures': () => createGreenhouse({ fixtures: wrong }),
  'createGreenhouse with an unknown scenario': () =>
    createGreenhouse({ use: ['expred-key' as never] }),
  loadFixtures: () => loadFixtures('./no-such-folder'),
  mountPanel: () => mountPanel(greenhouse, wrong),
  'serve on a host that is not there': () => serve(greenhouse, { host: 'nowhere.invalid' }),
  createWithWorld: () => createWithWorld(wrong),
  'a test of createWithWorld with an unknown assumption': () =>
    createWithWorld(unknown)(() => undefined)(),
  'greenhouse.scenarios': () => greenhouse.scenarios(wrong),
  'greenhouse.variants': () => greenhouse.variants(wrong),
  'world.use': () => world.use('expred-key' as never),
  'world.use with an option': () => world.use('slow', { milis: 3 } as never),
  'world.use with effects': () =>
    world.use({ respond: [{ on: 'apps.lst', status: 500 }] } as never),
  'world.useOnly': () => world.useOnly(wrong),
  'world.clear': () => world.clear('expred-key' as never),
  'world.assume': () => world.assume({ 'plants.delte': 'x' } as never),
  'world.restore': () => world.restore('never'),
  'world.grade': () => world.grade('wh_none'),
  'world.examine': () => world.examine('wh_none'),
  'world.key': () => world.key('key_foo'),
  'world.clock.advance': () => world.clock.advance('a while'),
  'world.clock.set': () => world.clock.set('tomorrow'),
  'world.clock.schedule': () => world.clock.schedule('tomorrow', () => undefined),
  'world.journal.violations': () => world.journal.violations(wrong),
  'world.records.plants.count': () => plants.count({ nme: 'x' } as never),
  'world.records.plants.find': () => plants.find({ nme: 'x' } as never),
  'world.records.plants.create': () => plants.create(wrong),
  'world.records.plants.update': () => plants.update(1, { id: 'x' } as never),
  'world.records.plants.replace': () => plants.replace([wrong]),
}

for (const [name, mistake] of Object.entries(mistakes))
  test(`${name} throws at the line that calls it`, async () => {
    const error = await new Promise<unknown>((resolve) => resolve(mistake())).catch(
      (thrown: unknown) => thrown,
    )
    expectLineOfCaller(error, 'caller.test.ts')
  })

test('the stack of an error that comes later has its message once, and then lines', async () => {
  const error: Error = await Promise.resolve(serve(greenhouse, { host: 'nowhere.invalid' })).then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown as Error,
  )
  const [first, ...lines] = error.stack!.slice(String(error).length).split('\n')
  expect([first, lines.filter((line) => !line.startsWith('    at '))]).toEqual(['', []])
})

const misspelt = createTest(unknown)

describe('a test of createTest with an unknown assumption', () => {
  let stack: string | undefined
  afterEach(({ task }) => void (stack ??= task.result?.errors?.[0]?.stack))
  misspelt.fails('fails', ({ world: own }) => void own)
  test('throws at the line that calls createTest', () => {
    expect(stack).toMatch(
      /^RangeError: .*plants\.delte\.unknown.*\n    at .*\/test\/core\/caller\.test\.ts:/,
    )
  })
})

test("an error of the caller's function keeps its stack", () => {
  const thrown = new Error('mine')
  const { stack } = thrown
  const find = () =>
    plants.find(() => {
      throw thrown
    })
  expect(find).toThrow(thrown)
  expect(thrown.stack).toBe(stack)
})

test('a mistake of the engine itself keeps its lines', () => {
  const broken = createGreenhouse()
  const options = new Proxy({}, { ownKeys: () => undefined as never })
  try {
    broken.world().reset(options)
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    // V8 keeps ten lines.
    expect((error as Error).stack).toMatch(/at checkOptions .*\/(dist|src)\/.*\n[^]*World\.called/)
  }
})
