import { words } from '../../api/config/flag.ts'
import { folder } from '../../api/config/settings.ts'
import { describeProblem, quote } from '../../core/text/messages.ts'
import { splitScenarios } from '../../core/world/scenario-choice.ts'
import { defineCommand } from '../command.ts'
import { type ActiveList, toActiveNames } from '../../control/shapes.ts'
import type { ScenarioSummary } from '../../scenarios/language/scenario-summary.ts'
import { UsageError } from '../terminal.ts'
import { createConfigured, type Flags, jsonFlag } from '../flags/flags.ts'
import { toTable, wrapLines } from '../../output/table.ts'
import { callFlags, RemoteServer } from '../running-server.ts'

const showFlags = {
  scenarios: {
    value: folder,
    describe: 'Folder with scenario files of your own',
  },
  ...jsonFlag,
} satisfies Flags

const listCommand = defineCommand({
  command: 'list',
  describe: 'List all scenarios, or those that match a search',
  flags: {
    ...showFlags,
    search: {
      value: words,
      describe: 'Only scenarios with all these words in name, title, description, options or tags',
    },
    malformations: {
      isOn: false,
      describe: 'List every field of every reply, and how malformed-reply can make it wrong',
    },
  },
  async run({ scenarios, malformations, search }, terminal) {
    if (malformations && search !== undefined)
      throw new UsageError('--search and --malformations exclude each other: use one of them.')
    if (malformations) return listMalformations()
    const library = await createConfigured(terminal, scenarios)
    const found = library.scenarios({ search })
    const rows = found.map(({ name, title, options }) => [
      name,
      title,
      Object.keys(options).join(' '),
    ])
    const table = toTable([['NAME', 'TITLE', 'OPTIONS'], ...rows], terminal.stdout.columns)
    const toText = () => {
      if (found.length > 0) return table
      return describeNothing(library.scenarios(), search)
    }
    return {
      answer: { data: found },
      toText,
    }
  },
})

const showCommand = defineCommand({
  command: 'show <name>',
  describe: 'Show what a scenario does, and its options',
  flags: showFlags,
  async run({ name, scenarios }, terminal) {
    const library = (await createConfigured(terminal, scenarios)).scenarios()
    const scenario = library.find((known) => known.name === name)
    if (!scenario) {
      const names = library.map((known) => known.name)
      throw new UsageError(
        `Failed to show the scenario "${name}": ${describeProblem('there is no such scenario', name, names)}`,
      )
    }
    return {
      answer: scenario,
      toText: () => describeScenario(scenario, terminal.stdout.columns),
    }
  },
})

const useCommand = defineCommand({
  command: 'use <names..>',
  describe:
    'Switch scenarios on in a running server: NAME, NAME:option=value,option=value or, in JSON or YAML, {respond: [{status: 401, times: 3}]}; separate several with spaces',
  flags: {
    ...callFlags,
    only: {
      isOn: false,
      describe: 'Switch all others off',
    },
  },
  async run({ names, only, ...args }, terminal) {
    const server = new RemoteServer(args, terminal)
    assertOptionsFit(names)
    const active = (await Promise.all(names.map(readChoices))).flat()
    if (active.length === 0)
      throw new UsageError(
        'Name the scenarios to use; greenhouse-mock scenario clear switches all of them off.',
      )
    const route = only ? 'PUT /worlds/{world}/scenarios' : 'POST /worlds/{world}/scenarios'
    return printActive(server, await server.call(route, { active }))
  },
})

const clearCommand = defineCommand({
  command: 'clear [names..]',
  describe: 'Switch off scenarios of a running server, or all of them',
  flags: callFlags,
  async run({ names = [], ...args }, terminal) {
    const server = new RemoteServer(args, terminal)
    const chosen = names.flatMap((name) => name.split(',')).filter(Boolean)
    if (chosen.length === 0) await server.call('DELETE /worlds/{world}/scenarios')
    for (const scenario of chosen)
      await server.call('DELETE /worlds/{world}/scenarios/{scenario}', { scenario })
    return printActive(server, await server.call('GET /worlds/{world}/scenarios'))
  },
})

export const scenarioCommand = defineCommand({
  command: 'scenario',
  describe: 'List scenarios, show one, or switch them in a running server',
  subcommands: [listCommand, showCommand, useCommand, clearCommand],
})

async function readChoices(text: string): Promise<unknown[]> {
  if (!/^\s*\{/.test(text)) return splitScenarios(text)
  const { data, problems } = (await import('../../files/yaml.ts')).parseYaml('scenario', text)
  const [first] = problems
  if (first) throw new UsageError(`${text}: expected an object in JSON or YAML: ${first.message}.`)
  return [data]
}

function assertOptionsFit(names: readonly string[]) {
  const option = names.slice(1).find((name) => /^[a-z][\w-]*=/i.test(name))
  if (option === undefined) return
  const scenario = names[names.indexOf(option) - 1] ?? ''
  throw new UsageError(
    `${option}: this is an option, not a scenario. Did you mean "${scenario}${scenario.includes(':') ? ',' : ':'}${option}"?`,
  )
}

function printActive({ world }: RemoteServer, answer: ActiveList) {
  const names = toActiveNames(answer.active).join(', ')
  const text =
    names === ''
      ? `No scenario is active in the world "${world}".`
      : `Active in the world "${world}": ${names}`
  return {
    answer,
    toText: () => `${text}\n`,
  }
}

async function listMalformations() {
  const { malformations } = await import('../../api/malformations.ts')
  const all = malformations()
  const rows = all.map(({ options: { on, at, kind }, breaks }) => [
    on,
    at || '""',
    kind,
    breaks ? 'yes' : 'no',
  ])
  const table = toTable([['ON', 'AT', 'KIND', 'BREAKS THE SCHEMA'], ...rows])
  const count = all.filter(({ breaks }) => breaks).length
  const toText = () => `${table}\n${all.length} malformations, ${count} of them break the schema.\n`
  return {
    answer: { data: all },
    toText,
  }
}

async function describeNothing(all: readonly ScenarioSummary[], search = ''): Promise<string> {
  const { suggestSearch } = await import('../../scenarios/language/scenario-summary.ts')
  return `No scenario has ${quote(search)}.${suggestSearch(all, search)} "greenhouse-mock scenario list" shows all ${all.length}.\n`
}

async function describeScenario(
  { name, title, description, covers, acts_on, tags, options, conditions }: ScenarioSummary,
  width = Infinity,
): Promise<string> {
  const { describeOption } = await import('../../scenarios/language/options.ts')
  const rows = Object.entries(options).map(([option, declared]) => {
    const meaning = declared.description ? `${declared.description}: ` : ''
    return [
      `  ${option}`,
      `${meaning}${describeOption(declared)}; ${String(declared.default)} by default`,
    ]
  })
  const paragraphs = [
    [`${name}: ${title}`],
    [description],
    [
      `Exercises: ${covers}`,
      `Acts on: ${acts_on.join(', ')}`,
      conditions.length > 0 && `Narrow it by: ${conditions.join(', ')}`,
      tags.length > 0 && `Tags: ${tags.join(', ')}`,
    ],
  ].map((texts) => texts.flatMap((text) => (text ? wrapLines(text, width) : [])).join('\n') + '\n')
  if (rows.length > 0) paragraphs.push(`Options\n${toTable(rows, width)}`)
  return paragraphs.join('\n')
}
