import { version } from '../../../package.json'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { keysOf, paymentsOf, quotaOfAccount, refillQuota, setPlan } from '../../api/inspect/accounts.ts'
import { dueOf } from '../../api/inspect/due.ts'
import type { ScenarioChoice, ScenarioName } from '../../api/types/names.ts'
import type { WorldStart } from '../../api/world-start.ts'
import { liveOf, type World } from '../../api/world.ts'
import { type Account, accounts } from '../../core/accounts/accounts.ts'
import type { DueWork } from '../../core/time/clock.ts'
import { toClockTime, toIso, toMovedTime } from '../../core/time/time-text.ts'
import { RejectedOptionError } from '../../core/world/effective-settings.ts'
import { InlineScenarioError, isInline, toNamedScenario } from '../../core/world/scenario-choice.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import { toPointer } from '../../scenarios/language/pointer.ts'
import { type Answer, changing, defineRoutes, done, ok, toRoutes } from '../answer.ts'
import type {
  AccountSummary,
  ActiveScenarios,
  ClockSummary,
  DoneWork,
  DueSummary,
  List,
  OpenApiJson,
  WorldSummary,
} from '../answers.ts'
import { check } from '../body.ts'
import { type Call, findRecord } from '../call.ts'
import { ControlError } from '../errors.ts'
import { showEvents } from '../events/index.ts'
import { changeKey, createKey, deleteKey, listKeys, showKey } from '../keys.ts'
import { readStartRecords } from '../records.ts'
import {
  accountChangesSchema,
  assumptionsSchema,
  clockSchema,
  goBackSchema,
  moreScenariosSchema,
  openApiQuerySchema,
  refillSchema,
  scenarioQuerySchema,
  scenariosSchema,
  worldSchema,
} from '../schemas.ts'
import { maxListed, readLimit, toListChunks, waitFor } from '../turns.ts'
import { showClock, showProblems, showScenarios, showStart, showWorld } from '../views.ts'
import { journalRoutes } from './journal.ts'
import { recordRoutes } from './records.ts'
import { snapshotRoutes } from './snapshots.ts'
import { webhookRoutes } from './webhooks.ts'

const worldRoutes = defineRoutes({
  'GET /worlds': ({ greenhouse }) => ({ chunks: toListChunks(findWorlds(greenhouse), showWorld) }),
  'GET /worlds/{world}': ({ world }) => ok(showWorld(world)),
  'PUT /worlds/{world}': { reads: 'body', handle: putWorld },
  'DELETE /worlds/{world}': (call) => done(call.deleteWorld()),
  'POST /worlds/{world}/reset': changing('body', resetWorld),

  'GET /worlds/{world}/scenarios': ({ world }) => ok(showScenarios(world)),
  'PUT /worlds/{world}/scenarios': changing('body', useOnly),
  'POST /worlds/{world}/scenarios': changing('body', useToo),
  'DELETE /worlds/{world}/scenarios': (call) => call.change((world) => done(world.clear())),
  'DELETE /worlds/{world}/scenarios/{scenario}': (call) =>
    call.change((world) => done(world.clear(call.param('scenario') as ScenarioName))),

  'GET /worlds/{world}/clock': ({ world }) => ok(showClock(world)),
  'PATCH /worlds/{world}/clock': changing('body', patchClock),

  'GET /worlds/{world}/assumptions': ({ world }) => ok(world.assumptions),
  'PATCH /worlds/{world}/assumptions': changing('body', (world, { body }) => {
    world.assume(check(assumptionsSchema, body))
    return world.assumptions
  }),

  'GET /worlds/{world}/openapi.json': { reads: 'query', handle: (call) => showOpenApi(call, call.world) },
})

/** Yields the worlds that exist when their turn comes. */
function* findWorlds(greenhouse: Greenhouse): Generator<World> {
  for (const name of greenhouse.worlds()) {
    const world = greenhouse.findWorld(name)
    if (world) yield world
  }
}

function resetWorld(world: World, { body }: Call): WorldSummary {
  const { snapshot } = check(goBackSchema, body)
  if (snapshot === undefined) world.reset()
  else {
    world.snapshot(snapshot)
    liveOf(world).reset({}, true)
  }
  return showWorld(world)
}

function putWorld(call: Call): Promise<Answer<WorldSummary>> {
  const { records = {}, ...start } = check(worldSchema, call.body)
  return call.change((world) => {
    world.reset({ ...(start as WorldStart), records: readStartRecords(world, records, start.now) })
    return ok(showWorld(world))
  })
}

/** Answers when all due work is done, deliveries included, so that the next call sees it. `advance` counts from `now`. */
async function patchClock(world: World, { body }: Call): Promise<ClockSummary> {
  const { now, advance, frozen } = check(clockSchema, body)
  const { clock } = world
  const start = now === undefined ? clock.now() : toClockTime(now)
  const target = advance === undefined ? start : toMovedTime(start, advance)
  if (frozen) clock.freeze()
  if (now !== undefined || advance !== undefined) clock.set(target)
  if (frozen === false) clock.run()
  await waitFor(world.settled())
  return showClock(world)
}

function useOnly(world: World, { body }: Call): ActiveScenarios {
  const { active } = check(scenariosSchema, body)
  switchOn(active, (choices) => world.useOnly(choices))
  return showScenarios(world)
}

/** Adds the scenarios of a body to the active ones, at the end or at `place`; one with the same name is replaced. */
function useToo(world: World, { body }: Call): ActiveScenarios {
  const { active, place } = check(moreScenariosSchema, body)
  switchOn(active, (choices) => liveOf(world).useAll(choices, place))
  return showScenarios(world)
}

function switchOn(active: readonly unknown[], use: (choices: ScenarioChoice[]) => void): void {
  try {
    use(active as ScenarioChoice[])
  } catch (error) {
    if (!(error instanceof InlineScenarioError || error instanceof RejectedOptionError)) throw error
    const findings =
      error instanceof InlineScenarioError
        ? error.findings.map(({ path, message }) => ({ steps: [active.indexOf(error.given), ...path], message }))
        : error.options.map((option) => ({ steps: [indexOf(error.scenario, active), option], message: error.reason }))
    const fields = findings.map(({ steps, message }) => ({ path: toPointer(['active', ...steps]), message }))
    throw new ControlError(400, 'invalid_request', error.message, fields)
  }
}

function indexOf(scenario: string, active: readonly unknown[]): number {
  return active.findIndex((choice) => !isInline(choice) && toNamedScenario(choice).name === scenario)
}

const maxKeys = 100

/** The extra work of showing an account, as if it were this many bytes of text: its keys need fingerprints. */
const work = 2_000

function readAccount(world: World, id: string): AccountSummary {
  const live = liveOf(world)
  return showAccount(live, findAccount(live, id))
}

function changeAccount(world: World, call: Call): AccountSummary {
  const id = call.param('id')
  const { plan } = check(call.greenhouse.catalogue.open(accountChangesSchema), call.body)
  const live = liveOf(world)
  findAccount(live, id)
  live.catchUp()
  if (plan !== undefined) setPlan(live, id, plan)
  live.catchUp()
  return readAccount(world, id)
}

function refillAccount(world: World, call: Call): AccountSummary {
  const id = call.param('id')
  const { window } = check(refillSchema, call.body)
  const live = liveOf(world)
  refillQuota(live, findAccount(live, id), window)
  return readAccount(world, id)
}

function findAccount(live: LiveWorld, id: string): Readonly<Account> {
  return findRecord('account', id, live.collection(accounts), live)
}

function showAccount(live: LiveWorld, account: Readonly<Account>): AccountSummary {
  const { id, name, email, plan } = account
  const keys = keysOf(live, id)
  return {
    id,
    name,
    email,
    plan,
    scopes: live.scopes,
    keys: keys.slice(0, maxKeys).map((key) => showKey(live, key)),
    key_count: keys.length,
    quota: quotaOfAccount(live, account),
    ...paymentsOf(live, account),
  }
}

const accountRoutes = defineRoutes({
  'GET /worlds/{world}/accounts': ({ world }) => {
    const live = liveOf(world)
    return { chunks: toListChunks(live.collection(accounts).all(), (one) => showAccount(live, one), '', work) }
  },
  'GET /worlds/{world}/accounts/{id}': (call) => ok(readAccount(call.world, call.param('id'))),
  'PATCH /worlds/{world}/accounts/{id}': changing('body', changeAccount),
  'POST /worlds/{world}/accounts/{id}/refill': changing('body', refillAccount),
})

const generalRoutes = defineRoutes({
  'GET /health': ({ greenhouse }) => ok({ status: 'ok', version, worlds: greenhouse.worlds().length }),
  'GET /scenarios': {
    reads: 'query',
    handle: ({ greenhouse, query }) => ok({ data: greenhouse.scenarios(check(scenarioQuerySchema, query)) }),
  },
  'GET /assumptions': ({ greenhouse }) => ok({ data: greenhouse.assumptions() }),
  'GET /operations': ({ greenhouse }) => ok({ data: greenhouse.operations() }),
  'GET /start': (call) => ok(showStart(call)),
  'GET /problems': ({ greenhouse }) => ok(showProblems(greenhouse)),
  'GET /events': { reads: 'query', handle: (call) => ({ stream: showEvents(call) }) },
  'GET /openapi.json': { reads: 'query', handle: (call) => showOpenApi(call, call.greenhouse.world()) },
})

const keyRoutes = defineRoutes({
  'GET /worlds/{world}/keys': listKeys,
  'POST /worlds/{world}/keys': changing('body', createKey, 201),
  'PATCH /worlds/{world}/keys/{id}': changing('body', changeKey),
  'DELETE /worlds/{world}/keys/{id}': (call) => call.change((world) => done(deleteKey(world, call.param('id')))),
})

const dueRoutes = defineRoutes({
  'GET /worlds/{world}/due': { reads: 'query', handle: ({ world, query }) => ok(listDue(world, query)) },
  'POST /worlds/{world}/due/next': changing(undefined, runNext),
})

export const routes = toRoutes({
  ...generalRoutes,
  ...worldRoutes,
  ...journalRoutes,
  ...keyRoutes,
  ...accountRoutes,
  ...dueRoutes,
  ...recordRoutes,
  ...webhookRoutes,
  ...snapshotRoutes,
})

function listDue(world: World, query: unknown): List<DueSummary> {
  const count = readLimit(query)
  const data: DueSummary[] = []
  for (const work of dueOf(liveOf(world))) if (data.push(showDue(work)) >= count) break
  return { data: data.slice(0, count) }
}

async function runNext(world: World): Promise<DoneWork> {
  const live = liveOf(world)
  live.catchUp()
  const together: DueWork[] = []
  for (const work of dueOf(live)) {
    if (together.length >= maxListed || (together[0] && work.at > together[0].at)) break
    together.push(work)
  }
  const [next] = together
  if (!next) return { clock: showClock(world), done: [] }
  if (next.at > world.clock.now()) world.clock.set(next.at)
  await waitFor(world.settled())
  return { clock: showClock(world), done: together.map(showDue) }
}

function showDue({ at, kind, title, subject }: DueWork): DueSummary {
  return { at: toIso(at), kind, title, ...(subject && { subject }) }
}

async function showOpenApi({ greenhouse, query, origin }: Call, { assumptions }: World): Promise<Answer<OpenApiJson>> {
  const { area } = check(openApiQuerySchema, query)
  const { createOpenApi } = await import('../../contract/document/index.ts')
  return ok(await createOpenApi({ area, assumptions, server: origin, catalogue: greenhouse.catalogue }))
}
