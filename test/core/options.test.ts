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
  'Failed to call createGreenhouse(): sed: there is no such option; expected one of seed, use, now, case, cors and 19 more. Did you mean "seed"?':
    () => create({ sed: 1 }),
  'Failed to call createGreenhouse(): seed: expected a whole number, such as 7, received "x".':
    () => create({ seed: 'x' }),
  'Failed to call createGreenhouse(): it takes one argument; {"use":["slow"]} was given too. Put all options into one object.':
    () => create({ seed: 1 }, { use: ['slow'] }),
  'Failed to call createMiddleware(): … given too. Options belong into createGreenhouse({ … }), a path into app.use(path, …).':
    call((greenhouse) => (createMiddleware as any)(greenhouse, { plants: '/p' })),
  'Failed to call loadFixtures(): expected an object of options (operations, collections, plugins, plans), received "./b".':
    () => (loadFixtures as any)('./a', './b'),
  'Failed to call loadScenarios(): expected an object of options …, received "./b".': () =>
    (loadScenarios as any)('./a', './b'),
  '… Use greenhouse.world(name).reset({ seed: 1 }).': call((greenhouse) =>
    greenhouse.world('a', { seed: 1 }),
  ),
  '… {"until":1} was given too. For a part of a world, …': call((_, world) =>
    world.toCase('a', { until: 1 }),
  ),
  '… expected a list of records, received an object.': call((_, world) =>
    world.records.plants.replace({}),
  ),
  '… expires_at must be a time in UTC, such as 2026-01-31T12:00:00Z.': call((_, world) =>
    world.createKey({ account: 'acct_pro', expires_at: '2026-01-31' }),
  ),
  '… "plants.delete" was given too. Use not.toHaveReceived(…) for one operation.': call(
    (_, world) => (greenhouseMatchers.toHaveReceivedNothing as any)(world, 'plants.delete'),
  ),
  '… "flaky" was given too. Call it once for each scenario.': call((_, world) =>
    world.use('slow', 'flaky'),
  ),
  '… "flaky" was given too. Call it once for each …': call((_, world) =>
    world.clear('slow', 'flaky'),
  ),
  '… {} was given too. Call it once for each record.': call((_, world) =>
    world.records.plants.create({}, {}),
  ),
  '… "m" was given too. Write "5m".': call((_, world) => world.clock.advance(5, 'm')),
  '… seed: expected a whole number, such as 7, received a list.': () => create({ seed: circle }),
  '… seed: expected a whole number, such as 7, received an object.': () =>
    create({ seed: { circle } }),
  '… cors: expected a list of origins …, received "http://x".': () => create({ cors: 'http://x' }),
  '… use: expected a list of scenarios, such as [\'slow\', …], received "slow".': () =>
    create({ use: 'slow' }),
  '… now: expected a time: …, received true.': () => create({ now: true }),
  '… trace: expected true or false, received "no".': () => create({ trace: 'no' }),
  '… frozen: expected true or false, received "yes".': () => create({ frozen: 'yes' }),
  '… memory: expected a whole number of bytes, 0 or more, received "64MiB".': () =>
    create({ memory: '64MiB' }),
  '… journal.entrys: there is no such option; expected one of entries. Did you mean "entries"?':
    () => create({ journal: { entrys: 5 } }),
  '… journal: expected an object of options (entries), received 5.': () => create({ journal: 5 }),
  '… webhooks.alow: there is no such option; expected one of allow. Did you mean "allow"?': () =>
    create({ webhooks: { alow: [] } }),
  '… webhooks.allow: expected a list of hosts …, received "x".': () =>
    create({ webhooks: { allow: 'x' } }),
  '… fixtures: expected an object of records by collection, …, received "./fixtures".': () =>
    create({ fixtures: './fixtures' }),
  '… scenarios: expected an object of your scenarios by name, … (the option "use" switches some on), received a list.':
    () => create({ scenarios: [] }),
  '… was given. Call it once for each, or call world.useOnly().': call((_, world) =>
    world.use(['slow', 'flaky']),
  ),
  'Failed to call createGreenhouse(): expected an object of options (fixtures, …), received null.':
    () => create(null),
  'Failed to call greenhouse.reload(): fixture: there is no such option; expected one of fixtures, scenarios, assumptions. Did you mean "fixtures"?':
    call((greenhouse) => greenhouse.reload({ fixture: {} })),
  'Failed to call serve(): prot: there is no such option; expected one of port, …. Did you mean "port"?':
    call((greenhouse) => serve(greenhouse, { prot: 1 } as never)),
  'Failed to call serve(): token: expected visible ASCII characters, such as "s3cret", received something else.':
    call((greenhouse) => serve(greenhouse, { token: 5 } as never)),
  'Failed to call serve(): the first argument is missing: expected a Greenhouse that createGreenhouse() returned.':
    () => serve(undefined as never),
  'Failed to call createHandlers(): plnts: there is no such option; expected one of plants, apps. Did you mean "plants"?':
    call((greenhouse) => createHandlers(greenhouse, { plnts: 'http://x' } as never)),
  'Failed to call createMiddleware(): the first argument: expected a Greenhouse …': () =>
    createMiddleware({} as never),
  'Failed to call createTest(): sed: there is no such option; expected one of …. Did you mean "seed"?':
    () => createTest({ sed: 1 } as never),
  'Failed to call world.reset(): sed: there is no such option; expected one of seed, …. Did you mean "seed"?':
    call((_, world) => world.reset({ sed: 1 })),
  'Failed to call world.reset(): records.plnts: there is no such option; expected one of …. Did you mean "plants"?':
    call((_, world) => world.reset({ records: { plnts: [] } })),
  'Failed to call world.reset(): records.plants: expected a list of records, received an object.':
    call((_, world) => world.reset({ records: { plants: {} } })),
  'Failed to call world.createKey(): acount: there is no such option; expected one of account, …. Did you mean "account"?':
    call((_, world) => world.createKey({ acount: 'acct_pro' })),
  'Failed to call world.createKey(): account is missing: expected the id of an account, ….': call(
    (_, world) => world.createKey({}),
  ),
  'Failed to call world.trigger(): acount: there is no such option; expected one of account, app. Did you mean "account"?':
    call((_, world) => world.trigger('plant.created', {}, { acount: 'x' })),
  'Failed to call world.snapshot(): the first argument is missing: expected the name of a snapshot, such as "before".':
    call((_, world) => world.snapshot()),
  'Failed to call world.restore(): the first argument: expected the name of a snapshot, such as "before", received 1.':
    call((_, world) => world.restore(1)),
  'Failed to call loadFixtures(): the first argument: expected the path of a folder, such as "./fixtures", received an object.':
    () => loadFixtures({} as never),
  'Failed to call loadScenarios(): the first argument is missing: expected the path of a folder, ….':
    () => loadScenarios(undefined as never),
  'Failed to call watchFolders(): fixture: there is no such option; expected one of …. Did you mean "fixtures"?':
    call((greenhouse) => watchFolders(greenhouse, { fixture: '.' } as never)),
}

const circular: Record<string, unknown> = {}
circular['self'] = circular

/** Calls with one wrong value, by what the RangeError says. */
const wrongValues: Record<string, () => unknown> = {
  'Failed to create the world 5: a name is 1 to 64 of the …': call((greenhouse) =>
    greenhouse.world(5),
  ),
  'Failed to create the world an object: …': call((greenhouse) => greenhouse.world(circular)),
  'Failed to create the world a list: …': call((greenhouse) => greenhouse.world([circular])),
  'Failed to create the world an object: a name …': call((greenhouse) =>
    greenhouse.world({ toJSON: () => undefined }),
  ),
  '… received "/~x/plants". Did you mean "/plants"?': call((_, world) =>
    world.journal.calls({ path: '/~x/plants' }),
  ),
  '… token: expected visible ASCII characters, …': call((greenhouse) =>
    serve(greenhouse, { token: '' }),
  ),
  '… webhooks.allow.0: expected a host name or an address, …': () =>
    create({ webhooks: { allow: ['http://hooks.example.com'] } }),
  '… cors.0: expected an origin …, received "http://x/".': () => create({ cors: ['http://x/'] }),
  '… scopes.0: expected one of …. Did you mean "plants:read"?': call((_, world) =>
    world.createKey({ account: 'acct_pro', scopes: ['plants:raed'] }),
  ),
  '… seed: expected a whole number, such as 7, received 1.5.': () => create({ seed: 1.5 }),
  '… bodyLimit: expected a whole number of bytes, 0 or more, received -1.': () =>
    create({ bodyLimit: -1 }),
  '… maxWorlds: expected a whole number, 1 or more, received 0.': () => create({ maxWorlds: 0 }),
  '… journal.entries: expected a whole number, 1 or more, received 0.': () =>
    create({ journal: { entries: 0 } }),
  'Failed to set the assumption "plants.delete.unknwn": …. Did you mean "plants.delete.unknown"?':
    () => create({ assumptions: { 'plants.delete.unknwn': '204' } }),
  'Failed to set the assumption "plants.delete.unknown" to 204: it can be "404", "400", "204".…':
    () => create({ assumptions: { 'plants.delete.unknown': 204 } }),
  'Failed to call serve(): port: expected a whole number from 0 to 65535, such as 4010, received 65536.':
    call((greenhouse) => serve(greenhouse, { port: 65_536 })),
  'Failed to call createHandlers(): apps: expected an absolute URL, such as "http://localhost:3000/v1", or, in a browser page, a path, such as "/api/v1", received "/v1".':
    call((greenhouse) => createHandlers(greenhouse, { apps: '/v1' })),
  'Failed to call createTest(): plants: expected an absolute URL, …, received "plants".': () =>
    createTest({ plants: 'plants' }),
  '…. Did you mean "plant.created"?…': call((_, world) => world.trigger('plant.create')),
  'Failed to set the assumption "plants.delete.status" to undefined: it can be "204", "200".': call(
    (_, world) => world.assume('plants.delete.status'),
  ),
  'Failed to call journal.calls(): there is no operation "plants.crate". Did you mean "plants.create"?':
    call((_, world) => world.journal.calls({ operation: 'plants.crate' })),
  'Failed to call journal.calls(): status: expected a status: …, received 20.': call((_, world) =>
    world.journal.calls({ status: 20 }),
  ),
  'Failed to call journal.calls(): status: expected a status: …, received "200".': call(
    (_, world) => world.journal.calls({ status: '200' }),
  ),
  'Failed to call journal.calls(): limit: expected a whole number, 0 or more, received -1.': call(
    (_, world) => world.journal.calls({ limit: -1 }),
  ),
  '… expected the path of a folder, such as "./fixtures", received "".': () => loadFixtures(''),
}

const wrong = [
  ...Object.entries(wrongTypes).map(([message, run]) => [message, run, TypeError] as const),
  ...Object.entries(wrongValues).map(([message, run]) => [message, run, RangeError] as const),
]

for (const [message, run, kind] of wrong)
  test(`reports the mistake: ${message.slice(0, 110)}`, async () => {
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

test('options behind a space are refused, with the place of the colon', () => {
  const world = createGreenhouse().world()
  expect(() => world.use('slow ms=500' as never)).toThrow('a colon, such as slow:ms=800.')
  expect(() => world.use('ms=500' as never)).toThrow('a colon, such as slow:ms=800.')
})

test('a path in the place of an operation is refused, with the list of ids', () => {
  const world = createGreenhouse().world()
  expect(() => world.use({ respond: [{ on: '/v1/apps' as never, status: 500 }] })).toThrow(
    'no operation is called "/v1/apps". An operation has an id, such as "plants.list"',
  )
})

test.each([
  'http://user@h.test',
  'http://:pw@h.test',
  'http://h.test/?key=1',
  'http://h.test/?',
  'http://h.test/#a',
])('a service has no more than a path: %s', (plants) => {
  expect(() => create({ proxy: { plants } })).toThrow('proxy.plants: expected an http or https URL')
})

test('an undefined option counts as not given', () => {
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
  const world = createGreenhouse({
    case: { case: 1, start },
    now: undefined,
    frozen: undefined,
  }).world()
  world.reset({ now: undefined, records: { plants: undefined } })
  expect(world.clock.now()).toBe(Date.parse(start.now))
})

test('a wrong value is quoted in short', () => {
  expect(() => create({ seed: 'x'.repeat(5_000) })).toThrow(/^.{0,250}$/)
})
