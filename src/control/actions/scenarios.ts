import * as z from 'zod/mini'
import { scenarioChoice } from '../../cases/format.ts'
import type { ScenarioChoice, ScenarioName } from '../../api/names.ts'
import { RejectedOptionError } from '../../core/world/effective-settings.ts'
import { InlineScenarioError, isInline, parseChoice } from '../../core/world/scenario-choice.ts'
import { toPointer } from '../../scenarios/language/pointer.ts'
import { conditionNames } from '../../scenarios/language/condition.ts'
import { checkScenario } from '../../scenarios/language/check.ts'
import { completeScenario } from '../../scenarios/language/complete.ts'
import { toInlineChoice } from '../../scenarios/language/inline.ts'
import { optionSchema } from '../../scenarios/language/options.ts'
import { type ScenarioFile, scenarioNamePattern } from '../../scenarios/language/schema.ts'
import type { ScenarioSummary } from '../../scenarios/language/scenario-summary.ts'
import { isObject } from '../../core/contract/options.ts'
import { limitLength } from '../../core/store/options.ts'
import type { Finding } from '../../core/store/validation-message.ts'
import { toReason } from '../../core/contract/errors.ts'
import { defineAction, type Call, conflict, invalid } from '../call.ts'
import { check } from '../body.ts'
import {
  activeScenarios,
  fileProblem,
  listOf,
  named,
  schemaOf,
  searchText,
  showProblem,
  showScenarios,
  withLimit,
} from '../shapes.ts'
import { maxListed } from '../list-limit.ts'
import { anyTexts, anyText, described, optional } from '../../core/contract/zod.ts'

/** The largest number of scenarios in one call: every request is checked against each of them. */
const maxScenarios = 100

export const choices = withLimit(z.array(scenarioChoice), maxScenarios, 'scenarios')

const active = described(
  choices,
  'Each as name:option=value, as an object with its name and options, or inline: {"respond": […]}',
)

const scenarioSummary = schemaOf<ScenarioSummary>(
  named('Scenario', {
    name: anyText,
    title: anyText,
    description: anyText,
    covers: described(anyText, 'What it tests in a client'),
    acts_on: described(anyTexts, 'What it can act on: plants, apps, payments, webhooks'),
    tags: anyTexts,
    options: z.record(anyText, optionSchema),
    conditions: described(
      z.array(z.enum(conditionNames)),
      'How it can be narrowed in addition to its options: on, account, key, plan, times',
    ),
    bundled: described(z.boolean(), 'Whether it comes with the package'),
    file: z.optional(anyText),
    needs_connection: z.optional(described(anyText, 'The fault that needs a connection: reset')),
    rejected: optional(anyText, "Why it can't be used here: a proxy or MSW can't produce it"),
  }),
)

const scenarioName = z
  .string()
  .check(z.regex(scenarioNamePattern, 'expected a name of a-z, 0-9 and "-"'), limitLength(100))

const scenarioText = z
  .string()
  .check(
    z.maxLength(2 ** 18, 'expected at most 256 KiB'),
    z.describe('The text of the file, as YAML or JSON'),
  )

const checkedScenario = z.object({
  data: z.array(fileProblem),
  scenario: schemaOf<object | null>(z.nullable(z.looseObject({}))),
  choice: schemaOf<object | null>(z.nullable(z.looseObject({}))),
  fits: described(anyTexts, 'The names or values that fit at the place `at`'),
})

export const scenarioActions = [
  defineAction('scenarios.list', 'GET /scenarios', {
    title: 'List all scenarios',
    commands: 'scenario list, also without a server',
    description: 'With `search`, those with all its words, best match first.',
    input: z.strictObject({ search: searchText }),
    output: listOf(scenarioSummary),
    run: ({ greenhouse }, query) => ({ data: greenhouse.scenarios(query) }),
  }),
  defineAction('scenarios.check', 'POST /scenarios/check', {
    title: 'Check the text of a scenario',
    commands: 'check, without a server',
    description:
      'Every mistake of a scenario file, with line and column. `scenario` is its content; without mistakes, `choice` is the same as an inline scenario, to try it.',
    input: z.strictObject({
      text: scenarioText,
      name: z.optional(scenarioName),
      at: optional(
        z.int().check(z.nonnegative()),
        'A place in the text, in characters, to complete',
      ),
    }),
    output: checkedScenario,
    run: (call, { text, name = 'new', at }) => checkText(call, name, text, at),
  }),
  defineAction('scenarios.save', 'PUT /scenarios/{scenario}', {
    title: 'Save a scenario as a file',
    commands: 'serve --scenarios, which loads such a file',
    description:
      'Writes it into the folder that the server reads, and loads it. A file or a bundled scenario of that name is replaced only with `replace`.',
    input: z.strictObject({
      text: scenarioText,
      replace: z.optional(z.boolean()),
    }),
    output: scenarioSummary,
    async run(call, { text, replace = false }) {
      const { greenhouse } = call
      const name = check(scenarioName, call.param('scenario'), 'scenario')
      const folder = greenhouse.files.scenarios
      if (!folder)
        throw conflict(
          'no_scenario_folder',
          'The server reads no folder of scenarios. Start it with --scenarios DIR, or keep the file yourself.',
        )
      const { data } = await checkText(call, name, text)
      const fields = data.map(({ line, column, message }) => ({
        path: '/text',
        message: `${line}:${column}: ${message}`,
      }))
      if (fields[0]) throw invalid(`Failed to save ${name}: ${fields[0].message}`, fields)
      const findSaved = () => greenhouse.scenarios().find((one) => one.name === name)
      const file = attemptToSave(name, () => folder.find(name))
      if (!replace && (file ?? findSaved()) !== undefined)
        throw conflict(
          'scenario_exists',
          `There is ${file === undefined ? 'a scenario' : `a file ${file}`} of the name "${name}" already. Choose another name, or send "replace": true.`,
        )
      attemptToSave(name, () => folder.save(name, text))
      return findSaved()!
    },
  }),
  defineAction('scenarios.active', 'GET /worlds/{world}/scenarios', {
    title: 'Show the active scenarios',
    description: 'With all their options, in the form that PUT takes.',
    output: activeScenarios,
    run: ({ world }) => showScenarios(world),
  }),
  defineAction('scenarios.replace', 'PUT /worlds/{world}/scenarios', {
    title: 'Use these scenarios and no others',
    commands: 'scenario use --only',
    description:
      'Their counts start again. If an option is wrong, `error.errors` says why, at `/active/0/ms`.',
    input: z.strictObject({ active }),
    output: activeScenarios,
    run({ world }, { active }) {
      useChoices(active, (choices) => world.useOnly(choices))
      return showScenarios(world)
    },
  }),
  defineAction('scenarios.use', 'POST /worlds/{world}/scenarios', {
    title: 'Switch a scenario on',
    commands: 'scenario use',
    description:
      'Adds scenarios after the active ones, which keep their counts, or at `place`, counted from 0; one with the same name is replaced.',
    input: z.strictObject({
      active,
      place: z.optional(z.int().check(z.gte(0, 'expected a place: a whole number, 0 or more'))),
    }),
    output: activeScenarios,
    run({ world }, { active, place }) {
      useChoices(active, (choices) => world.core.scenarios.use(choices, { index: place }))
      return showScenarios(world)
    },
  }),
  defineAction('scenarios.clear', 'DELETE /worlds/{world}/scenarios', {
    title: 'Switch all scenarios off',
    commands: 'scenario clear',
    description: 'The data, the clock and the journal stay as they are.',
    run: ({ world }) => world.clear(),
  }),
  defineAction('scenarios.stop', 'DELETE /worlds/{world}/scenarios/{scenario}', {
    title: 'Switch a scenario off',
    commands: 'scenario clear NAME',
    description: 'The others keep their counts.',
    run: (call) => call.world.clear(call.param('scenario') as ScenarioName),
  }),
] as const

function attemptToSave<Result>(name: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw conflict('not_saved', `Failed to save ${name}: ${toReason(error)}`)
  }
}

async function checkText(
  call: Call,
  name: string,
  text: string,
  at?: number,
): Promise<z.infer<typeof checkedScenario>> {
  const file = `${name}.yaml`
  const read = await call.readYaml(file, text)
  const found =
    read.problems.length > 0
      ? []
      : checkScenario(file, name, read.data, call.greenhouse.catalogue).problems
  const problems = [...read.problems, ...found.map((problem) => read.locate(problem))]
  const operations = call.greenhouse.catalogue.operations.map(({ id }) => id)
  return {
    data: problems.slice(0, maxListed).map(showProblem),
    fits: at === undefined ? [] : completeScenario(text, at, operations),
    scenario: isObject(read.data) ? read.data : null,
    choice: problems.length === 0 ? toInlineChoice(read.data as ScenarioFile) : null,
  }
}

function useChoices(active: readonly unknown[], use: (choices: ScenarioChoice[]) => void) {
  try {
    use(active as ScenarioChoice[])
  } catch (error) {
    if (!(error instanceof InlineScenarioError || error instanceof RejectedOptionError)) throw error
    throw invalid(
      error.message,
      findWrong(error, active).map(({ path, message }) => ({
        path: toPointer(['active', ...path]),
        message,
      })),
    )
  }
}

/** Returns what is wrong with choices of scenarios, by its place among them. */
function findWrong(
  error: InlineScenarioError | RejectedOptionError,
  active: readonly unknown[],
): readonly Finding[] {
  if (error instanceof InlineScenarioError) {
    const index = active.indexOf(error.given)
    return error.findings.map(({ path, message }) => ({
      path: [index, ...path],
      message,
    }))
  }
  const { scenario, options, reason: message } = error
  const index = active.findIndex(
    (choice) => !isInline(choice) && parseChoice(choice).name === scenario,
  )
  return options.map((option) => ({
    path: [index, option],
    message,
  }))
}
