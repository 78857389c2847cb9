import * as z from 'zod/mini'
import { scenarioChoice } from '../../cases/format.ts'
import type { ScenarioChoice, ScenarioName } from '../../api/types/names.ts'
import { RejectedOptionError } from '../../core/world/effective-settings.ts'
import { InlineScenarioError, isInline, toNamedScenario } from '../../core/world/scenario-choice.ts'
import { toPointer } from '../../scenarios/language/pointer.ts'
import { conditionNames } from '../../scenarios/language/condition.ts'
import { optionSchema } from '../../scenarios/language/schema.ts'
import type { ScenarioSummary } from '../../scenarios/language/scenario-summary.ts'
import { defineAction } from '../action.ts'
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
    conditions: z
      .array(z.enum(conditionNames))
      .check(z.describe('How it can be narrowed in addition to its options: on, account, key, plan, times')),
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
    run({ world }, { active }) {
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
    run({ world }, { active, place }) {
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
    run: ({ world }) => world.clear(),
  }),
  defineAction({
    id: 'scenarios.stop',
    method: 'DELETE',
    path: '/worlds/{world}/scenarios/{scenario}',
    title: 'Switch a scenario off',
    description: 'The others keep their counts.',
    run: (call) => call.world.clear(call.param('scenario') as ScenarioName),
  }),
] as const

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
