import type { CommandModule } from 'yargs'
import type { ScenarioSummary } from '../../scenarios/library.ts'
import { UsageError } from '../errors.ts'
import * as values from '../flag-values.ts'
import { once } from '../flags.ts'
import { toTable } from '../table.ts'
import { callControl, toTarget, withServerOptions, type ServerArguments } from '../control-client.ts'
import { print } from '../print.ts'

const folderOption = {
  type: 'string',
  requiresArg: true,
  coerce: once('scenarios', values.folder),
  describe: 'Folder with scenario files, beside those that come with the package',
} as const

export const scenarioCommand: CommandModule = {
  command: 'scenario',
  describe: 'List scenarios, show one, or switch those of a running server',
  builder: (args) =>
    args
      .command(listCommand)
      .command(showCommand)
      .command(useCommand)
      .command(clearCommand)
      .demandCommand(1, 'Expected list, show, use or clear.'),
  handler: () => undefined,
}

const malformationsOption = {
  type: 'boolean',
  default: false,
  describe: 'List the options of malformed-reply instead: every field of every reply, and how it can be wrong',
} as const

const searchOption = {
  type: 'string',
  requiresArg: true,
  coerce: once('search', values.words),
  describe: 'List only those that have all these words in their names, titles, sentences, options or tags',
} as const

const listCommand: CommandModule<object, { scenarios?: string; malformations: boolean; search?: string }> = {
  command: 'list',
  describe: 'List every scenario, or those that match a search',
  builder: (args) =>
    args.option('scenarios', folderOption).option('search', searchOption).option('malformations', malformationsOption),
  handler: async ({ scenarios, malformations, search }) => {
    if (malformations && search !== undefined)
      throw new UsageError('--search and --malformations do not go together: use one of them.')
    if (malformations) return listMalformations()
    const library = await loadLibrary(scenarios)
    const found = library.scenarios({ search })
    if (found.length === 0) return print(await describeNothing(library.scenarios(), search!))
    const rows = found.map(({ name, title, options }) => [name, title, Object.keys(options).join(' ')])
    print(toTable([['NAME', 'TITLE', 'OPTIONS'], ...rows]))
  },
}

const showCommand: CommandModule<object, { name: string; scenarios?: string }> = {
  command: 'show <name>',
  describe: 'Show what a scenario does and which options it has',
  builder: (args) => args.positional('name', { type: 'string', demandOption: true }).option('scenarios', folderOption),
  handler: async ({ name, scenarios }) => {
    const library = (await loadLibrary(scenarios)).scenarios()
    const scenario = library.find((known) => known.name === name)
    if (scenario) print(describe(scenario, (await import('../../scenarios/option-values.ts')).describeOption))
    else {
      const { suggest } = await import('../../core/definitions/suggest.ts')
      throw new UsageError(
        `Failed to show the scenario "${name}": there is no such scenario.${suggest(
          name,
          library.map((known) => known.name),
        )}`,
      )
    }
  },
}

const useCommand: CommandModule<object, ServerArguments & { names: string[] }> = {
  command: 'use <names..>',
  describe:
    'Switch scenarios on in a running server, in place of the active ones: NAME or NAME:option=value;…, several with spaces or commas between them',
  builder: (args) =>
    withServerOptions(args.positional('names', { type: 'string', array: true, demandOption: true })) as never,
  handler: async ({ names, ...args }) => {
    const target = toTarget(args)
    const { splitScenarios } = await import('../../core/world/scenario-choice.ts')
    const active = names.flatMap(splitScenarios)
    if (active.length === 0)
      throw new UsageError('Name the scenarios to use; greenhouse scenario clear switches all of them off.')
    await callControl(target, 'PUT', '/scenarios', { active })
    print(`Active in the world "${target.world}": ${names.join(', ')}\n`)
  },
}

const clearCommand: CommandModule<object, ServerArguments> = {
  command: 'clear',
  describe: 'Switch all scenarios of a running server off',
  builder: (args) => withServerOptions(args) as never,
  handler: async (args) => {
    const target = toTarget(args)
    await callControl(target, 'DELETE', '/scenarios')
    print(`No scenario is active in the world "${target.world}".\n`)
  },
}

async function listMalformations(): Promise<void> {
  const { malformations } = await import('../../greenhouse/malformations.ts')
  const all = malformations()
  const rows = all.map(({ options: { on, at, kind }, breaks }) => [
    on,
    at === '' ? '""' : at,
    kind,
    breaks ? 'yes' : 'no',
  ])
  print(toTable([['ON', 'AT', 'KIND', 'BREAKS THE SCHEMA'], ...rows]))
  print(`\n${all.length} malformations, ${all.filter(({ breaks }) => breaks).length} of them break the schema.\n`)
}

async function loadLibrary(folder: string | undefined) {
  const { createGreenhouse } = await import('../../greenhouse/create.ts')
  const scenarios = folder === undefined ? undefined : (await import('../../files/load.ts')).loadScenarios(folder)
  return createGreenhouse({ scenarios })
}

async function describeNothing(all: readonly ScenarioSummary[], search: string): Promise<string> {
  const { suggestSearch } = await import('../../scenarios/search.ts')
  const { quote } = await import('../../core/definitions/quote.ts')
  return `No scenario has ${quote(search)}.${suggestSearch(all, search)} "greenhouse scenario list" shows all ${all.length}.\n`
}

function describe(
  { name, title, description, covers, acts_on, tags, options }: ScenarioSummary,
  describeOption: (declared: ScenarioSummary['options'][string]) => string,
): string {
  const rows = Object.entries(options)
    .map(([option, declared]) => ({
      option,
      declared,
      meaning: declared.description ?? '',
      fallback: declared.default,
    }))
    .map(({ option, declared, meaning, fallback }) => [
      `  ${option}`,
      `${meaning}${meaning && ': '}${describeOption(declared)}; ${String(fallback)} by default`,
    ])
  return `${name}: ${title}\n\n${description}\n\nExercises: ${covers}\nActs on: ${acts_on.join(', ')}\n${tags.length > 0 ? `Tags: ${tags.join(', ')}\n` : ''}${rows.length > 0 ? `\nOptions\n${toTable(rows)}` : ''}`
}
