import * as z from 'zod/mini'
import { version } from '../../../package.json'
import { areaNames } from '../../areas/event-types.ts'
import { assumptionRegistry } from '../../api/assembly/catalogue.ts'
import { scenarioChoice } from '../../cases/format.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { dueOf } from '../../api/inspect/due.ts'
import type { ScenarioChoice, ScenarioName } from '../../api/types/names.ts'
import type { WorldStart } from '../../api/world-start.ts'
import type { World } from '../../api/world.ts'
import type { DueWork } from '../../core/time/clock.ts'
import { toClockTime, toIso, toMovedTime } from '../../core/time/time-text.ts'
import { RejectedOptionError } from '../../core/world/effective-settings.ts'
import { InlineScenarioError, isInline, toNamedScenario } from '../../core/world/scenario-choice.ts'
import { toPointer } from '../../scenarios/language/pointer.ts'
import { type Answer, changing, defineRoutes, done, ok, toRoutes } from '../answer.ts'
import type {
  ActiveScenarios,
  ClockSummary,
  DoneWork,
  DueSummary,
  List,
  OpenApiJson,
  WorldSummary,
} from '../answers.ts'
import { check, goBackSchema, maxFields, maxRecords, searchText, tooManyRecords } from '../body.ts'
import type { Call } from '../call.ts'
import { ControlError } from '../errors.ts'
import { showEvents } from '../events/index.ts'
import { readStartRecords } from '../records.ts'
import { maxListed, readLimit, toListChunks, waitFor } from '../turns.ts'
import { showClock, showProblems, showScenarios, showStart, showWorld } from '../views.ts'
import { accountRoutes } from './accounts.ts'
import { journalRoutes } from './journal.ts'
import { recordRoutes, snapshotRoutes } from './records.ts'

import { webhookRoutes } from './webhooks.ts'

/** The largest number of scenarios in one call: every request is checked against each of them. */
const maxScenarios = 100

const time = z.union([z.string(), z.number()], 'expected a time, such as "2026-01-31T12:00:00Z"')

const choices = z.pipe(
  z
    .unknown()
    .check(
      z.refine(
        (value) => !Array.isArray(value) || value.length <= maxScenarios,
        `expected at most ${maxScenarios} scenarios`,
      ),
    ),
  z.array(scenarioChoice),
)

const assumptionsSchema = z.pipe(
  fewFields(z.record(z.string(), z.unknown())),
  z.transform((given, context) => {
    const read = Object.entries(given).map(([id, value]) => {
      // As in scenario files: 204 is '204'.
      if (typeof value === 'number') return [id, String(value)]
      if (typeof value !== 'string')
        context.issues.push({ code: 'custom', input: value, path: [id], message: describeValues(id, value) })
      return [id, value]
    })
    return Object.fromEntries(read) as Record<string, string>
  }),
)

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
    world.core.reset({}, true)
  }
  return showWorld(world)
}

const worldSchema = z.strictObject({
  seed: z.optional(z.int()),
  now: z.optional(time),
  frozen: z.optional(z.boolean()),
  scenarios: z.optional(choices),
  assumptions: z.optional(assumptionsSchema),
  records: z.optional(
    fewFields(z.record(z.string(), z.array(z.unknown()))).check(
      z.refine(
        (given) => Object.values(given).reduce((sum, { length }) => sum + length, 0) <= maxRecords,
        tooManyRecords,
      ),
    ),
  ),
})

function putWorld(call: Call): Promise<Answer<WorldSummary>> {
  const { records = {}, ...start } = check(worldSchema, call.body)
  return call.change((world) => {
    world.reset({ ...(start as WorldStart), records: readStartRecords(world, records, start.now) })
    return ok(showWorld(world))
  })
}

const clockSchema = z.strictObject({
  now: z.optional(time),
  advance: z.optional(z.union([z.string(), z.number()], 'expected a duration, such as "90s"')),
  frozen: z.optional(z.boolean()),
})

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

const scenariosSchema = z.strictObject({ active: choices })

function useOnly(world: World, { body }: Call): ActiveScenarios {
  const { active } = check(scenariosSchema, body)
  switchOn(active, (choices) => world.useOnly(choices))
  return showScenarios(world)
}

const moreScenariosSchema = z.strictObject({
  active: choices,
  place: z.optional(z.int().check(z.gte(0, 'expected a place: a whole number, 0 or more'))),
})

/** Adds the scenarios of a body to the active ones, at the end or at `place`; one with the same name is replaced. */
function useToo(world: World, { body }: Call): ActiveScenarios {
  const { active, place } = check(moreScenariosSchema, body)
  switchOn(active, (choices) => world.core.scenarios.use(choices, { index: place }))
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

const scenarioQuerySchema = z.strictObject({ search: searchText })

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

const dueRoutes = defineRoutes({
  'GET /worlds/{world}/due': { reads: 'query', handle: ({ world, query }) => ok(listDue(world, query)) },
  'POST /worlds/{world}/due/next': changing(undefined, runNext),
})

export const routes = toRoutes({
  ...generalRoutes,
  ...worldRoutes,
  ...journalRoutes,
  ...accountRoutes,
  ...dueRoutes,
  ...recordRoutes,
  ...webhookRoutes,
  ...snapshotRoutes,
})

function listDue(world: World, query: unknown): List<DueSummary> {
  const count = readLimit(query)
  const data: DueSummary[] = []
  for (const work of dueOf(world.core)) if (data.push(showDue(work)) >= count) break
  return { data: data.slice(0, count) }
}

async function runNext(world: World): Promise<DoneWork> {
  const live = world.core
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

const openApiQuerySchema = z.strictObject({ area: z.optional(z.enum(areaNames)) })

async function showOpenApi({ greenhouse, query, origin }: Call, { assumptions }: World): Promise<Answer<OpenApiJson>> {
  const { area } = check(openApiQuerySchema, query)
  const { createOpenApi } = await import('../../contract/document/index.ts')
  return ok(await createOpenApi({ area, assumptions, server: origin, catalogue: greenhouse.catalogue }))
}

function fewFields<T extends z.ZodMiniType>(schema: T) {
  const few = z
    .unknown()
    .check(
      z.refine(
        (value) => typeof value !== 'object' || value === null || Object.keys(value).length <= maxFields,
        `expected at most ${maxFields} fields`,
      ),
    )
  return z.pipe(few, schema)
}

function describeValues(id: string, value: unknown): string {
  const values = assumptionRegistry.list().find((known) => known.id === id)?.values
  const given = typeof value === 'object' && value !== null ? 'an object or a list' : String(value)
  if (!values) return `expected a string, received ${given}`
  return `expected one of ${values.map((known) => `"${known}"`).join(', ')}, received ${given}.`
}
