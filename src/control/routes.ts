import { version } from '../../package.json'
import type { Journal } from '../greenhouse/journal.ts'
import { suggest } from '../core/definitions/suggest.ts'
import type { World } from '../greenhouse/world.ts'
import { check } from './body.ts'
import type { Call } from './call.ts'
import { changeClock } from './clock.ts'
import { settledWithin } from './settled.ts'
import { ControlError } from './errors.ts'
import { showHar, showJournal } from './journal.ts'
import type { Part } from './http/send-parts.ts'
import { changeKey, createKey, showKeys } from './keys.ts'
import { readStartRecords, replaceRecords, showRecords } from './records.ts'
import { findWebhook, triggerEvent } from './webhooks.ts'
import {
  assumptionsSchema,
  openApiQuerySchema,
  recordsSchema,
  scenarioQuerySchema,
  scenariosSchema,
  worldSchema,
} from './schemas.ts'
import { showClock, showScenarios, showWorld } from './views.ts'

/** The answer to a call: JSON, nothing, JSON text in parts, or a stream of a journal's entries. */
export type Answer = { status: number; value?: unknown } | { parts: Iterable<Part> } | { stream: Journal }

type Handler = (call: Call) => Answer | Promise<Answer>

/** Every route of the control API, below `/__greenhouse`. */
export const routes: readonly (readonly [
  method: 'get' | 'put' | 'post' | 'patch' | 'delete',
  path: string,
  handle: Handler,
])[] = [
  ['get', '/health', ({ greenhouse }) => ok({ status: 'ok', version, worlds: greenhouse.worlds().length })],
  [
    'get',
    '/scenarios',
    ({ greenhouse, query }) => ok({ data: greenhouse.scenarios(check(scenarioQuerySchema, query)) }),
  ],
  ['get', '/assumptions', ({ greenhouse }) => ok({ data: greenhouse.assumptions() })],
  ['get', '/openapi.json', (call) => showOpenApi(call, call.greenhouse.world())],
  ['get', '/operations', ({ greenhouse }) => ok({ data: greenhouse.operations() })],

  [
    'get',
    '/worlds',
    ({ greenhouse }) => ok({ data: greenhouse.worlds().map((name) => showWorld(greenhouse.world(name))) }),
  ],
  ['get', '/worlds/:world', ({ world }) => ok(showWorld(world))],
  ['put', '/worlds/:world', putWorld],
  ['delete', '/worlds/:world', (call) => done(call.deleteWorld())],
  ['post', '/worlds/:world/reset', (call) => call.change((world) => (world.reset(), ok(showWorld(world))))],

  ['get', '/worlds/:world/scenarios', ({ world }) => ok(showScenarios(world))],
  [
    'put',
    '/worlds/:world/scenarios',
    (call) =>
      call.change((world) => (world.useOnly(check(scenariosSchema, call.body).active), ok(showScenarios(world)))),
  ],
  ['delete', '/worlds/:world/scenarios', (call) => call.change((world) => done(world.clear()))],

  ['get', '/worlds/:world/clock', ({ world }) => ok(showClock(world))],
  ['patch', '/worlds/:world/clock', (call) => call.change((world) => patchClock(call, world))],

  ['get', '/worlds/:world/journal', (call) => ({ parts: showJournal(call) })],
  ['delete', '/worlds/:world/journal', (call) => call.change((world) => done(world.journal.clear()))],
  ['get', '/worlds/:world/journal.har', (call) => ({ parts: showHar(call) })],
  ['get', '/worlds/:world/journal/stream', ({ world }) => ({ stream: world.journal })],

  ['get', '/worlds/:world/assumptions', ({ world }) => ok(world.assumptions)],
  [
    'patch',
    '/worlds/:world/assumptions',
    (call) => call.change((world) => (world.assume(check(assumptionsSchema, call.body)), ok(world.assumptions))),
  ],

  ['get', '/worlds/:world/openapi.json', (call) => showOpenApi(call, call.world)],

  ['get', '/worlds/:world/keys', ({ world }) => ok({ data: showKeys(world) })],
  [
    'post',
    '/worlds/:world/keys',
    (call) => call.change(async (world) => ({ status: 201, value: await createKey(world, call.body) })),
  ],
  [
    'patch',
    '/worlds/:world/keys/:id',
    (call) => call.change(async (world) => ok(await changeKey(world, call.param('id'), call.body))),
  ],

  [
    'get',
    '/worlds/:world/records/:collection',
    (call) => ok({ data: showRecords(call.world, call.param('collection')) }),
  ],
  ['put', '/worlds/:world/records/:collection', (call) => call.change((world) => putRecords(call, world))],

  ['post', '/worlds/:world/events', (call) => call.change(async (world) => ok(await triggerEvent(world, call.body)))],
  ['get', '/worlds/:world/webhooks/:id/grade', (call) => ok(call.world.grade(findWebhook(call)))],
  ['post', '/worlds/:world/webhooks/:id/grade', async (call) => ok(await call.world.examine(findWebhook(call)))],

  ['get', '/worlds/:world/snapshots', ({ world }) => ok({ data: world.snapshots.map((name) => ({ name })) })],
  ['get', '/worlds/:world/snapshots/:snapshot', (call) => ok({ name: findSnapshot(call) })],
  [
    'put',
    '/worlds/:world/snapshots/:snapshot',
    (call) => call.change((world) => (world.snapshot(call.snapshot), ok({ name: call.snapshot }))),
  ],
  ['post', '/worlds/:world/snapshots/:snapshot/restore', restoreSnapshot],
]

/** As the assumptions of a world are. */
async function showOpenApi({ query, origin }: Call, { assumptions }: World): Promise<Answer> {
  const { area } = check(openApiQuerySchema, query)
  const { createOpenApi } = await import('../contract/document/index.ts')
  return ok(await createOpenApi({ area, assumptions, server: origin }))
}

/** Starts the world anew as the body says. What the body leaves out is as in every world. */
function putWorld(call: Call): Promise<Answer> {
  const { records = {}, ...start } = check(worldSchema, call.body)
  return call.change((world) => {
    world.reset({ ...start, records: readStartRecords(world, records, start.now) })
    return ok(showWorld(world))
  })
}

/** Answers when all due work is done, deliveries included, so that the next call sees it. */
async function patchClock(call: Call, world: World): Promise<Answer> {
  changeClock(world, call.body)
  await settledWithin(world)
  return ok(showClock(world))
}

function putRecords(call: Call, world: World): Answer {
  const given = check(recordsSchema, call.body)
  const name = call.param('collection')
  replaceRecords(world, name, given)
  return ok({ data: showRecords(world, name) })
}

function restoreSnapshot(call: Call): Answer {
  call.world.restore(findSnapshot(call))
  return ok(showWorld(call.world))
}

function findSnapshot({ world, snapshot }: Call): string {
  if (world.snapshots.includes(snapshot)) return snapshot
  throw new ControlError(
    404,
    'unknown_snapshot',
    `The world "${world.name}" has no snapshot "${snapshot}".${suggest(snapshot, world.snapshots)}`,
  )
}

function ok(value: unknown): Answer {
  return { status: 200, value }
}

function done(_: unknown): Answer {
  return { status: 204 }
}
