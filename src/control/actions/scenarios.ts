import * as z from 'zod/mini'
import { scenarioChoice } from '../../cases/format.ts'
import type { ScenarioChoice, ScenarioName } from '../../api/types/names.ts'
import { toJson } from '../../core/http/json.ts'
import { RejectedOptionError, toChoice } from '../../core/world/effective-settings.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import { InlineScenarioError, isInline, toNamedScenario } from '../../core/world/scenario-choice.ts'
import { toPointer } from '../../scenarios/language/pointer.ts'
import { optionSchema } from '../../scenarios/language/schema.ts'
import type { ScenarioSummary } from '../../scenarios/language/scenario-summary.ts'
import { defineAction } from '../action.ts'
import { type Call, changedSince } from '../call.ts'
import { ControlError } from '../errors.ts'
import { activeScenarios, listOf, named, schemaOf, searchText, showScenarios, withLimit } from '../shapes.ts'

/** The largest number of scenarios in one call: every request is checked against each of them. */
const maxScenarios = 100

export const choices = withLimit(z.array(scenarioChoice), maxScenarios, 'scenarios')

const active = choices.check(
  z.describe('Each as name:option=value, as an object with its name and options, or inline: {"respond": […]}'),
)

const scenarioSummary = schemaOf<ScenarioSummary>(
  named('Scenario', {
    name: z.string(),
    title: z.string(),
    description: z.string(),
    covers: z.string().check(z.describe('What it tests in a client')),
    acts_on: z.array(z.string()).check(z.describe('What it can act on: plants, apps, payments, webhooks')),
    tags: z.array(z.string()),
    options: z.record(z.string(), optionSchema),
    bundled: z.boolean().check(z.describe('Whether it comes with the package')),
    file: z.optional(z.string()),
    needs_connection: z.optional(z.string().check(z.describe('The fault that needs a connection: reset'))),
  }),
)

export const scenarioActions = [
  defineAction({
    id: 'scenarios.list',
    method: 'GET',
    path: '/scenarios',
    title: 'List all scenarios',
    description: 'With `search`, those with all its words, best match first.',
    input: z.strictObject({ search: searchText }),
    output: listOf(scenarioSummary),
    run: ({ greenhouse }, query) => ({ data: greenhouse.scenarios(query) }),
  }),
  defineAction({
    id: 'scenarios.active',
    method: 'GET',
    path: '/worlds/{world}/scenarios',
    title: 'Show the active scenarios',
    description: 'With all their options, in the form that PUT takes.',
    output: activeScenarios,
    run: ({ world }) => showScenarios(world),
  }),
  defineAction({
    id: 'scenarios.replace',
    method: 'PUT',
    path: '/worlds/{world}/scenarios',
    title: 'Use these scenarios and no others',
    description: 'Their counts start again. If an option is wrong, `error.errors` says why, at `/active/0/ms`.',
    input: z.strictObject({ active }),
    output: activeScenarios,
    run(call, { active }) {
      const { world } = call
      touchScenarios(call)
      switchOn(active, (choices) => world.useOnly(choices))
      return showScenarios(world)
    },
  }),
  defineAction({
    id: 'scenarios.use',
    method: 'POST',
    path: '/worlds/{world}/scenarios',
    title: 'Switch a scenario on',
    description:
      'Adds scenarios after the active ones, which keep their counts, or at `place`, counted from 0; one with the same name is replaced.',
    input: z.strictObject({
      active,
      place: z.optional(z.int().check(z.gte(0, 'expected a place: a whole number, 0 or more'))),
    }),
    output: activeScenarios,
    run(call, { active, place }) {
      const { world } = call
      touchScenarios(call)
      switchOn(active, (choices) => world.core.scenarios.use(choices, { index: place }))
      return showScenarios(world)
    },
  }),
  defineAction({
    id: 'scenarios.clear',
    method: 'DELETE',
    path: '/worlds/{world}/scenarios',
    title: 'Switch all scenarios off',
    description: 'The data, the clock and the journal stay as they are.',
    run(call) {
      touchScenarios(call)
      call.world.clear()
    },
  }),
  defineAction({
    id: 'scenarios.stop',
    method: 'DELETE',
    path: '/worlds/{world}/scenarios/{scenario}',
    title: 'Switch a scenario off',
    description: 'The others keep their counts.',
    run(call) {
      touchScenarios(call)
      call.world.clear(call.param('scenario') as ScenarioName)
    },
  }),
] as const

/** Compares by scenario: one that others switched on since stays on. */
function touchScenarios({ touched, world: { core: live } }: Call): void {
  const before = live.active
  touched.push(() => {
    const after = live.active
    const names = new Set([...before, ...after].map(({ name }) => name))
    const changed = [...names].filter((name) => !isSame(withName(before, name), withName(after, name)))
    if (changed.length === 0) return undefined
    const textOf = (all: Active, name: string) => toJson(withName(all, name).map(toChoice))
    return {
      assertUnchanged() {
        const again = changed.find((name) => textOf(live.active, name) !== textOf(after, name))
        if (again !== undefined) throw changedSince(`The scenario ${again}`)
      },
      takeBack() {
        for (const name of changed) if (withName(live.active, name).length > 0) live.scenarios.clear(name)
        for (const [index, { name }] of before.entries()) {
          if (!changed.includes(name) || withName(live.active, name).length > 0) continue
          live.scenarios.use(withName(before, name).map(toChoice), { index: Math.min(index, live.active.length) })
        }
      },
    }
  })
}

type Active = LiveWorld['active']

function withName(active: Active, name: string): Active {
  return active.filter((scenario) => scenario.name === name)
}

function isSame(some: Active, others: Active): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index])
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
