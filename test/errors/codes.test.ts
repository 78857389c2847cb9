import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  createGreenhouse,
  type Greenhouse,
  type GreenhouseErrorCode,
  parseJson,
  replayCase,
  type World,
} from 'greenhouse-mock'
import { defineOperation } from 'greenhouse-mock/config'
import { createHandlers } from 'greenhouse-mock/msw'
import { loadFixtures } from 'greenhouse-mock/node'
import { mountPanel } from 'greenhouse-mock/panel'
import { serve } from 'greenhouse-mock/server'
import { createWithWorld } from 'greenhouse-mock/testing'
import { errorClasses, errorCodes } from '../../src/core/text/error-codes.ts'

const plant = { id: 1, name: 'Fern', account: 'acct_pro' }

const ask = (greenhouse: Greenhouse, path: string) =>
  greenhouse.fetch(
    new Request(`http://greenhouse.test${path}`, { headers: { Authorization: 'Bearer key_pro' } }),
  )

/** How a user of the package meets each code. */
const causes: Readonly<Record<GreenhouseErrorCode, () => unknown>> = {
  GREENHOUSE_INVALID_ARGUMENT: () => createGreenhouse({ sed: 1 } as object),
  GREENHOUSE_INVALID_VALUE: () => createGreenhouse().world('my world'),
  GREENHOUSE_INVALID_TIME: () => createGreenhouse().world().clock.advance('soon'),
  GREENHOUSE_INVALID_RECORD: () =>
    createGreenhouse()
      .world()
      .records.plants.create({ id: 1 } as typeof plant),
  GREENHOUSE_INVALID_SCENARIO: () => createGreenhouse().world().use('slow:ms=often'),
  GREENHOUSE_INVALID_ASSUMPTION: () =>
    createGreenhouse()
      .world()
      .assume({ 'plants.delete.status': '500' as '200' }),
  GREENHOUSE_INVALID_DEFINITION: () =>
    defineOperation({ overrides: 'apps.list', id: 'apps.all', handle: () => [] }),
  GREENHOUSE_INVALID_DATA: () => createGreenhouse({ fixtures: { plants: [{ id: 1 }] } }),
  GREENHOUSE_INVALID_FILE: () =>
    loadFixtures(join(mkdtempSync(join(tmpdir(), 'greenhouse-codes-')), 'none')),
  GREENHOUSE_UNKNOWN_NAME: () => createGreenhouse().world().key('key_none'),
  GREENHOUSE_UNKNOWN_SCENARIO: () =>
    createGreenhouse()
      .world()
      .use('slwo' as 'slow'),
  GREENHOUSE_UNSUPPORTED_FAULT() {
    const greenhouse = createGreenhouse()
    createHandlers(greenhouse)
    greenhouse.world().use('connection-reset')
  },
  GREENHOUSE_UNSUPPORTED_HOST: () => mountPanel(createGreenhouse()),
  GREENHOUSE_MISSING_AREA: () =>
    createHandlers(createGreenhouse({ areas: ['plants'] }), { apps: 'https://apps.test/v1' }),
  GREENHOUSE_DUPLICATE_KEY() {
    const { plants } = createGreenhouse().world().records
    plants.create(plant)
    plants.create(plant)
  },
  GREENHOUSE_INVALID_JSON: () => parseJson('{'),
  GREENHOUSE_LIMIT_REACHED() {
    const world = createGreenhouse().world()
    for (let count = 0; count < 200; count++)
      world.use({ respond: [{ on: 'apps.list', status: 500 }] })
  },
  GREENHOUSE_MEMORY_FULL() {
    const world = createGreenhouse({ memory: 400_000 }).world()
    for (let id = 10_000; id < 20_000; id++) world.records.plants.create({ ...plant, id })
  },
  GREENHOUSE_DROPPED_WORLD() {
    const greenhouse = createGreenhouse({ maxWorlds: 2 })
    for (const name of ['a', 'b', 'c', 'a']) greenhouse.world(name)
  },
  GREENHOUSE_CLOSED() {
    const greenhouse = createGreenhouse()
    greenhouse.close()
    greenhouse.world('other')
  },
  async GREENHOUSE_EVICTED() {
    const greenhouse = createGreenhouse({ journal: { entries: 1 } })
    for (const path of ['/plants', '/v1/apps', '/v1/apps']) await ask(greenhouse, path)
    greenhouse.world().journal.calls({ operation: 'plants.list' })
  },
  GREENHOUSE_FAILED_STEP: () =>
    replayCase({ ...createGreenhouse().world().toCase(), incomplete: 'it lacks a step.' }),
  GREENHOUSE_FAILED_FORWARDING: () =>
    ask(createGreenhouse({ proxy: { plants: 'http://plants.test' } }), '/plants'),
  async GREENHOUSE_FAILED_LISTENING() {
    await using server = await serve(createGreenhouse())
    await serve(createGreenhouse(), { port: server.port })
  },
  async GREENHOUSE_ASTRAY() {
    const withWorld = createWithWorld()
    await withWorld(async ({ greenhouse }) => void (await ask(greenhouse, '/v1/apps')))()
  },
}

test.each(Object.keys(errorCodes) as GreenhouseErrorCode[])(
  'an error with the code %s is met',
  async (code) => {
    const error = await Promise.resolve()
      .then(causes[code])
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code, message: expect.stringMatching(/\w{3}/) })
    expect(error).toBeInstanceOf(errorClasses[code] ?? Error)
  },
)

const slip = (call: (world: World) => unknown) => () => call(createGreenhouse().world())
const respond = [{ on: 'apps.list', status: 500 }] as const

/** Further mistakes, each at a place of its own, by what happens to who makes them. */
const slips: [code: GreenhouseErrorCode, ...(() => unknown)[]][] = [
  [
    'GREENHOUSE_INVALID_ARGUMENT',
    slip(({ records }) => (records as { plnts?: object }).plnts),
    slip(({ records }) => records.plants.find(null as never)),
    slip(({ records }) => records.plants.find({ nmae: 'Fern' } as object)),
    slip((world) => world.use(['slow'] as never)),
    slip((world) => world.use({ respond } as never, { ms: 5 } as never)),
    () => createGreenhouse({ seed: 'x' } as never),
  ],
  [
    'GREENHOUSE_INVALID_VALUE',
    slip(({ records }) => records.plants.find({}, { orderBy: { name: 'up' as 'asc' } })),
    () => createGreenhouse({ seed: 1.5 }),
    () => serve(createGreenhouse(), { host: '0.0.0.0' }),
  ],
  [
    'GREENHOUSE_INVALID_RECORD',
    slip(({ records }) => records.plants.update(101, { id: 5 })),
    slip(({ records }) => records.plants.update(101, { account: 'acct_free' })),
    slip(({ records }) => records.plants.create({ id: 'x' } as never)),
  ],
  [
    'GREENHOUSE_INVALID_SCENARIO',
    slip((world) => world.use({ name: 'slow', options: { ms: 5 } } as never)),
  ],
  [
    'GREENHOUSE_INVALID_ASSUMPTION',
    slip((world) => world.assume({ 'plants.delete.sttus': '200' } as object)),
  ],
  [
    'GREENHOUSE_UNKNOWN_NAME',
    slip(({ journal }) => journal.calls({ account: 'acct_none' })),
    slip((world) => world.restore('none')),
  ],
  [
    'GREENHOUSE_INVALID_TIME',
    ...['1x', '', '5', `${'9'.repeat(400)}d`, '3652426d', NaN].map((length) =>
      slip(({ clock }) => clock.advance(length)),
    ),
    ...['soon', '2027-02-29', '2027-01-01T24:00:00Z', '+100000-01-01', NaN].map((time) =>
      slip(({ clock }) => clock.set(time)),
    ),
  ],
  ['GREENHOUSE_LIMIT_REACHED', slip((world) => world.useOnly(Array(200).fill({ respond })))],
]

test.each(
  slips.flatMap(([code, ...all]) => all.map((make, number) => [code, number, make] as const)),
)('a mistake has the code %s: case %i', async (code, _, make) => {
  const error = await Promise.resolve()
    .then(make)
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code, message: expect.stringMatching(/^(Failed|Found|There)/) })
})

const folder = new URL('../../src/', import.meta.url)

/**
 * What a command says is read by its exit code, what the panel says by nobody's code; what a server
 * answers has codes of the control API.
 */
const rooms = /^(?:cli|panel|contract|control\/(?!client))\//

/**
 * Errors that no user catches: reasons within another message, rows of a delivery, requests of a
 * client, bugs.
 */
const inner: Readonly<Record<string, number>> = {
  'adapters/own-handlers.ts': 3,
  'api/fetch.ts': 2,
  'areas/apps/webhooks/delivery/engine.ts': 1,
  'areas/apps/webhooks/delivery/message.ts': 1,
  'replay/replay.ts': 2,
  'control/call.ts': 1,
  'control/client/connect.ts': 1,
  'control/client/control-api.ts': 1,
  'control/client/direct-fetch.ts': 1,
  'core/http/json.ts': 1,
  'core/http/webhook-transport.ts': 3,
  'core/pipeline/router.ts': 2,
  'custom/handler-context.ts': 1,
  'custom/to-operation.ts': 1,
  'files/load.ts': 3,
  'files/recording-folder.ts': 5,
  'files/replace-file.ts': 1,
  'node-http/tls.ts': 3,
  'node-http/verify-http.ts': 1,
  'node-http/webhook-transport.ts': 7,
  'proxy/fetch-target.ts': 1,
  'proxy/node-route.ts': 2,
  'proxy/node-target.ts': 1,
  'proxy/service-call.ts': 2,
  'scenarios/faults/stream.ts': 1,
  'scenarios/language/plain-data.ts': 1,
}

/** Classes of the same kinds, and one that only the control API answers with. */
const innerClasses = [
  'AliasError',
  'BlockedUrlError',
  'ChangedSinceError',
  'TargetFailure',
  'TransportClosedError',
]

test('every error that is thrown at a user has a code', () => {
  const bare = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !rooms.test(path))
    .map((path) => [path, readFileSync(new URL(path, folder), 'utf8')] as const)
  const found = bare.map(
    ([path, text]) =>
      [path, text.match(/new (?:Type|Range|Syntax)?Error\(/g)?.length ?? 0] as const,
  )
  expect(Object.fromEntries(found.filter(([, count]) => count > 0))).toEqual(inner)
  const classes = bare.flatMap(([, text]) =>
    [...text.matchAll(/class (\w+) extends (\w*Error) \{([^]*?)\n\}/g)]
      .filter(
        ([, , parent, body]) =>
          !/\bcode\b/.test(body!) && !['ClientError', 'CallError', 'JsonError'].includes(parent!),
      )
      .map(([, name]) => name!),
  )
  expect(classes.toSorted()).toEqual(innerClasses)
})

test('an engine that cuts no stacks throws the same errors, at once and later', async () => {
  const { captureStackTrace } = Error
  const world = createGreenhouse().world()
  const thrown: unknown[] = []
  try {
    Error.captureStackTrace = undefined as never
    for (const act of [() => world.clock.advance('soon'), () => world.examine('wh_none')])
      try {
        await act()
      } catch (error) {
        thrown.push(error)
      }
  } finally {
    Error.captureStackTrace = captureStackTrace
  }
  expect(thrown).toMatchObject([
    { code: 'GREENHOUSE_INVALID_TIME' },
    { code: 'GREENHOUSE_UNKNOWN_NAME' },
  ])
})
