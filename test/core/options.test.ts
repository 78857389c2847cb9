import { expect, test } from 'vitest'
import { createMiddleware } from 'greenhouse-mock/express'
import { createHandlers } from 'greenhouse-mock/msw'
import { greenhouseMatchers } from 'greenhouse-mock/matchers'
import { serve } from 'greenhouse-mock/server'
import { createTest } from 'greenhouse-mock/vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { loadFixtures, loadScenarios, watchFolders } from 'greenhouse-mock/node'
import { expectLineOfCaller } from '../support/problems.ts'

/** Calls without types, as JavaScript does. */
const call = (run: (greenhouse: any, world: any) => unknown) => async () => {
  const greenhouse = createGreenhouse()
  return run(greenhouse, greenhouse.world())
}

const create: any = createGreenhouse

const circle: unknown[] = []
circle.push(circle)

/** Calls with one thing of a wrong type, by what the TypeError says. */
const wrongTypes: Record<string, () => unknown> = {
  'Failed to call createGreenhouse(): there is no option "sed", only fixtures, scenarios, seed, …. Did you mean "seed"?':
    () => create({ sed: 1 }),
  'Failed to call createGreenhouse(): the option "seed" takes a whole number; "x" was given.': () =>
    create({ seed: 'x' }),
  'Failed to call createGreenhouse(): it takes one argument; {"use":["slow"]} was given too. Put all options into one object.':
    () => create({ seed: 1 }, { use: ['slow'] }),
  'Failed to call createMiddleware(): … given too. Options belong into createGreenhouse({ … }), a path into app.use(path, …).':
    call((greenhouse) => (createMiddleware as any)(greenhouse, { plants: '/p' })),
  'Failed to call loadFixtures(): it takes an object of options (operations, collections, plugins, plans); "./b" was given.':
    () => (loadFixtures as any)('./a', './b'),
  'Failed to call loadScenarios(): it takes an object of options … "./b" was given.': () =>
    (loadScenarios as any)('./a', './b'),
  '… Use greenhouse.world(name).reset({ seed: 1 }).': call((greenhouse) => greenhouse.world('a', { seed: 1 })),
  '… {"until":1} was given too. For a part of a world, …': call((_, world) => world.toCase('a', { until: 1 })),
  '… takes a list of records; {} was given.': call((_, world) => world.records.plants.replace({})),
  '… expires_at must be a time in UTC, such as 2026-01-31T12:00:00Z.': call((_, world) =>
    world.createKey({ account: 'acct_pro', expires_at: '2026-01-31' }),
  ),
  '… "plants.delete" was given too. Use not.toHaveReceived(…) for one operation.': call((_, world) =>
    (greenhouseMatchers.toHaveReceivedNothing as any)(world, 'plants.delete'),
  ),
  '… a list of hosts without schemes and ports, … was given.': () =>
    create({ webhooks: { allow: ['http://hooks.example.com'] } }),
  '… "flaky" was given too. Call it once for each scenario.': call((_, world) => world.use('slow', 'flaky')),
  '… "flaky" was given too. Call it once for each …': call((_, world) => world.clear('slow', 'flaky')),
  '… {} was given too. Call it once for each record.': call((_, world) => world.records.plants.create({}, {})),
  '… "m" was given too. Write "5m".': call((_, world) => world.clock.advance(5, 'm')),
  '… "seed" takes a whole number; ["1",null] was given.': () => create({ seed: [1n, null] }),
  '… "seed" takes a whole number; a list was given.': () => create({ seed: circle }),
  '… "seed" takes a whole number; an object was given.': () => create({ seed: { circle } }),
  '… "cors" takes a list of origins …; "http://x" was given.': () => create({ cors: 'http://x' }),
  '… "cors" takes a list of origins …; ["http://x/"] was given.': () => create({ cors: ['http://x/'] }),
  '… "use" takes a list of scenarios, such as [\'slow\', …]; "slow" was given.': () => create({ use: 'slow' }),
  '… "now" takes a time: …; true was given.': () => create({ now: true }),
  '… "trace" takes true or false; "no" was given.': () => create({ trace: 'no' }),
  '… "frozen" takes true or false; "yes" was given.': () => create({ frozen: 'yes' }),
  '… "memory" takes a whole number of bytes, 0 or more; "64MiB" was given.': () => create({ memory: '64MiB' }),
  '… there is no option "journal.entrys", only journal.entries. Did you mean "journal.entries"?': () =>
    create({ journal: { entrys: 5 } }),
  '… "journal" takes an object of options (entries); 5 was given.': () => create({ journal: 5 }),
  '… there is no option "webhooks.alow", only webhooks.allow. Did you mean "webhooks.allow"?': () =>
    create({ webhooks: { alow: [] } }),
  '… "webhooks.allow" takes a list of hosts …; "x" was given.': () => create({ webhooks: { allow: 'x' } }),
  '… "fixtures" takes an object of records by collection, …; "./fixtures" was given.': () =>
    create({ fixtures: './fixtures' }),
  '… "scenarios" takes an object of scenarios by name, …; [] was given.': () => create({ scenarios: [] }),
  'Failed to call createGreenhouse(): it takes an object of options (fixtures, …); null was given.': () => create(null),
  'Failed to call greenhouse.reload(): there is no option "fixture", only fixtures, scenarios, assumptions. Did you mean "fixtures"?':
    call((greenhouse) => greenhouse.reload({ fixture: {} })),
  'Failed to call serve(): there is no option "prot", only port, …. Did you mean "port"?': call((greenhouse) =>
    serve(greenhouse, { prot: 1 } as never),
  ),
  'Failed to call serve(): the option "token" takes a text of visible ASCII characters; something else was given.':
    call((greenhouse) => serve(greenhouse, { token: 5 } as never)),
  'Failed to call serve(): the first argument takes a Greenhouse that createGreenhouse() returned; undefined was given.':
    () => serve(undefined as never),
  'Failed to call createHandlers(): there is no option "plnts", only plants, apps. Did you mean "plants"?': call(
    (greenhouse) => createHandlers(greenhouse, { plnts: 'http://x' } as never),
  ),
  'Failed to call createMiddleware(): the first argument takes a Greenhouse …': () => createMiddleware({} as never),
  'Failed to call createTest(): there is no option "sed", only …. Did you mean "seed"?': () =>
    createTest({ sed: 1 } as never),
  'Failed to call world.reset(): there is no option "sed", only seed, …. Did you mean "seed"?': call((_, world) =>
    world.reset({ sed: 1 }),
  ),
  'Failed to call world.reset(): there is no option "records.plnts", only …. Did you mean "records.plants"?': call(
    (_, world) => world.reset({ records: { plnts: [] } }),
  ),
  'Failed to call world.reset(): the option "records.plants" takes a list of records; {} was given.': call((_, world) =>
    world.reset({ records: { plants: {} } }),
  ),
  'Failed to call world.createKey(): there is no option "acount", only account, …. Did you mean "account"?': call(
    (_, world) => world.createKey({ acount: 'acct_pro' }),
  ),
  'Failed to call world.createKey(): the option "account" takes the id of an account, …; undefined was given.': call(
    (_, world) => world.createKey({}),
  ),
  '… "scopes" takes a list of scopes (…); ["plants:raed"] was given.': call((_, world) =>
    world.createKey({ account: 'acct_pro', scopes: ['plants:raed'] }),
  ),
  'Failed to call world.trigger(): there is no option "acount", only account, app. Did you mean "account"?': call(
    (_, world) => world.trigger('plant.created', {}, { acount: 'x' }),
  ),
  'Failed to call world.snapshot(): the first argument takes the name of a snapshot, such as "before"; undefined was given.':
    call((_, world) => world.snapshot()),
  'Failed to call world.restore(): the first argument takes the name of a snapshot, such as "before"; 1 was given.':
    call((_, world) => world.restore(1)),
  'Failed to call journal.calls(): the option "status" takes a status: …; "200" was given.': call((_, world) =>
    world.journal.calls({ status: '200' }),
  ),
  'Failed to call loadFixtures(): the first argument takes the path of a folder, such as "./fixtures"; {} was given.':
    () => loadFixtures({} as never),
  'Failed to call loadScenarios(): the first argument takes the path of a folder, …; undefined was given.': () =>
    loadScenarios(undefined as never),
  'Failed to call watchFolders(): there is no option "fixture", only …. Did you mean "fixtures"?': call((greenhouse) =>
    watchFolders(greenhouse, { fixture: '.' } as never),
  ),
}

/** Calls with one wrong value, by what the RangeError says. */
const wrongValues: Record<string, () => unknown> = {
  'Failed to create the world 5: a name is 1 to 64 of the …': call((greenhouse) => greenhouse.world(5)),
  '… "/~x/plants" was given. Did you mean "/plants"?': call((_, world) => world.journal.calls({ path: '/~x/plants' })),
  '… takes a text of visible ASCII characters; …': call((greenhouse) => serve(greenhouse, { token: '' })),
  '… "seed" takes a whole number; 1.5 was given.': () => create({ seed: 1.5 }),
  '… "bodyLimit" takes a whole number of bytes, 0 or more; -1 was given.': () => create({ bodyLimit: -1 }),
  '… "maxWorlds" takes a whole number, 1 or more; 0 was given.': () => create({ maxWorlds: 0 }),
  '… "journal.entries" takes a whole number, 1 or more; 0 was given.': () => create({ journal: { entries: 0 } }),
  'Failed to set the assumption "plants.delete.unknwn": …. Did you mean "plants.delete.unknown"?': () =>
    create({ assumptions: { 'plants.delete.unknwn': '204' } }),
  'Failed to set the assumption "plants.delete.unknown" to 204: it can be "404", "400", "204".…': () =>
    create({ assumptions: { 'plants.delete.unknown': 204 } }),
  'Failed to call serve(): the option "port" takes a whole number from 0 to 65535; 65536 was given.': call(
    (greenhouse) => serve(greenhouse, { port: 65_536 }),
  ),
  'Failed to call createHandlers(): the option "apps" takes an absolute URL, such as "http://localhost:3000/v1", or, in a browser page, a path, such as "/api/v1"; "/v1" was given.':
    call((greenhouse) => createHandlers(greenhouse, { apps: '/v1' })),
  'Failed to call createTest(): the option "plants" takes an absolute URL, …; "plants" was given.': () =>
    createTest({ plants: 'plants' }),
  '…. Did you mean "plant.created"?…': call((_, world) => world.trigger('plant.create')),
  'Failed to set the assumption "plants.delete.status" to undefined: it can be "204", "200".': call((_, world) =>
    world.assume('plants.delete.status'),
  ),
  'Failed to call journal.calls(): there is no operation "plants.crate". Did you mean "plants.create"?': call(
    (_, world) => world.journal.calls({ operation: 'plants.crate' }),
  ),
  'Failed to call journal.calls(): the option "status" takes a status: …; 20 was given.': call((_, world) =>
    world.journal.calls({ status: 20 }),
  ),
  'Failed to call journal.calls(): the option "limit" takes a whole number, 0 or more; -1 was given.': call(
    (_, world) => world.journal.calls({ limit: -1 }),
  ),
  '… takes the path of a folder, such as "./fixtures"; "" was given.': () => loadFixtures(''),
}

const wrong = [
  ...Object.entries(wrongTypes).map(([message, run]) => [message, run, TypeError] as const),
  ...Object.entries(wrongValues).map(([message, run]) => [message, run, RangeError] as const),
]

for (const [message, run, kind] of wrong)
  test(`reports what is wrong: ${message.slice(0, 110)}`, async () => {
    const error = await Promise.resolve()
      .then(run)
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
    expect(error).toBeInstanceOf(kind)
    const parts = message.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    expect((error as Error).message).toMatch(new RegExp(`^${parts.join('.*')}$`, 's'))
    // A matcher's error is shown by its runner.
    if (!message.includes('toHaveReceived')) expectLineOfCaller(error, 'options.test.ts')
  })

test('an option that is undefined is one that was not given', () => {
  expect(() =>
    createGreenhouse({
      seed: undefined,
      now: undefined,
      use: undefined,
      cors: undefined,
      journal: undefined,
      webhooks: { allow: undefined },
    }),
  ).not.toThrow()
  const start = { now: '2026-03-01T12:00:00.000Z', frozen: true }
  const world = createGreenhouse({ case: { case: 1, start }, now: undefined, frozen: undefined }).world()
  world.reset({ now: undefined, records: { plants: undefined } })
  expect(world.clock.now()).toBe(Date.parse(start.now))
})

test('what was given is quoted short', () => {
  expect(() => create({ seed: 'x'.repeat(5_000) })).toThrow(/^.{0,250}$/)
})
