import { defineCommand } from '../command.ts'
import { existsSync } from 'node:fs'
import { join, basename, dirname, relative } from 'node:path'
import { formatProblem, type Problem } from '../../core/contract/problem.ts'
import { toShownPath } from '../../files/find-config.ts'
import type { CommandReport } from '../../output/reports.ts'
import type { Catalogue } from '../../catalogue/fold-areas.ts'
import { assertPassed, UsageError, print, type Terminal } from '../terminal.ts'
import {
  createConfigured,
  fileFlags,
  jsonFlag,
  serveCommandFlags,
  sourcesOf,
  toGreenhouseOptions,
  toSettings,
} from '../flags/flags.ts'
import { reportFlags } from '../flags/report.ts'
import { createFolder, loadAdditions, writeFile } from '../files.ts'
import { countOf, toVisible, showValue } from '../../core/text/messages.ts'
import { toCamelCase, flagsByKey, type Setting } from '../../api/config/flag.ts'
import { isContent, settings } from '../../api/config/settings.ts'
import { toTable } from '../../output/table.ts'
import type { Fields } from '../../core/text/values.ts'

export const checkCommand = defineCommand({
  command: 'check [dirs..]',
  describe: 'Check fixture and scenario files: list mistakes as file:line:column',
  positionals: {
    dirs: 'Folders to check: of scenarios if named scenarios or if their files have titles, otherwise of fixtures; by default those of greenhouse.config.ts, or fixtures and scenarios',
  },
  flags: { ...jsonFlag, ...reportFlags },
  async run({ dirs, ...args }, terminal) {
    const folders = dirs?.length ? dirs : findFolders(terminal)
    const config = dirs?.length ? undefined : terminal.config
    if (folders.length === 0 && !config)
      throw new UsageError(
        'Found no folder "fixtures" or "scenarios" here: name the folders to check.',
      )
    const known = await readCatalogue(terminal)
    const problems = await findProblems(folders, known)
    // Finds mistakes in a configuration whose folders are valid.
    if (problems.length === 0 && config) (await createConfigured(terminal)).close()
    const { showProblem } = await import('../../control/shapes.ts')
    const { printReport } = await import('../output/report.ts')
    const checked = [...folders, ...(config ? [toShownPath(config.file)] : [])]
    const data = { data: problems.map(showProblem) }
    assertPassed(printReport(terminal, args, toCheckReport(checked, problems, data)))
  },
})

function toCheckReport(
  checked: readonly string[],
  problems: readonly Problem[],
  data: CommandReport['data'],
): CommandReport {
  const failed = problems.map(({ file, path, message, line, column }) => ({
    owner: file,
    name: path.join('.') || file,
    failed: { message },
    at: { file, line, col: column },
  }))
  const passed = checked.map((name) => ({
    owner: 'check',
    name,
  }))
  const lines = problems.map(formatProblem)
  return {
    name: 'check',
    title: `${checked.join(', ')}: ${countOf(problems.length, 'problem').replace(/^0/, 'no')}.`,
    sections: [{ notes: lines }],
    suites: { 'greenhouse-mock check': [...failed, ...(failed.length > 0 ? [] : passed)] },
    data,
    // Editors read a problem a line.
    text: lines.length === 0 ? undefined : `${lines.join('\n')}\n`,
  }
}

function findFolders({ config }: Terminal): string[] {
  const { fixtures = 'fixtures', scenarios = 'scenarios' } = config?.config ?? {}
  const folders = [fixtures, scenarios].filter((folder) => typeof folder === 'string')
  return folders.map(toShownPath).filter((folder) => existsSync(folder))
}

async function readCatalogue(terminal: Terminal): Promise<Catalogue> {
  const { toCatalogue } = await import('../../api/assembly/create.ts')
  const { config } = terminal
  if (config) (await import('../../files/load-config.ts')).assertAdditions(config)
  return toCatalogue(await loadAdditions(terminal))
}

async function findProblems(folders: readonly string[], known: Catalogue): Promise<Problem[]> {
  const { checkFixtureFiles, findScenarioProblems, readDataFolder } =
    await import('../../files/load.ts')
  const read = folders.flatMap(withInner).map((folder) => ({
    folder,
    files: readDataFolder(folder),
  }))
  const isScenarios = ({ folder, files }: (typeof read)[number]) =>
    /(^|[/\\])scenarios[/\\]?$/.test(folder) ||
    files.some(({ data }) => typeof data === 'object' && data !== null && 'title' in data)
  const fixtures = read.filter((one) => !isScenarios(one)).flatMap(({ files }) => files)
  const contract = checkFixtureFiles(fixtures, known).known
  return read.flatMap((one) => {
    if (isScenarios(one)) return findScenarioProblems(one.files, contract)
    return checkFixtureFiles(one.files, known).problems
  })
}

function withInner(folder: string): string[] {
  const inside = ['fixtures', 'scenarios']
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path))
  if (inside.length > 0) return inside.flatMap(withInner)
  return [folder]
}

const firstFile = 'fixtures/own.yaml'
const schema = 'node_modules/greenhouse-mock/fixtures/fixtures.schema.json'

const firstFixtures = `# Records that every world starts with. Docs: docs/fixtures.md of the package
# "greenhouse-mock check" finds mistakes in it, "greenhouse-mock serve --fixtures fixtures" serves it.

# The default records: four accounts, key_free to key_pro_plus, plants, apps. Leave this out to start with nothing.
extends: default

accounts:
  # A record with an id that is there changes the fields that it has.
  - { id: acct_lite, name: Our first customer }
  - { id: acct_ours, name: Ours, email: ours@example.com, plan: pro }

keys:
  - { secret: key_ours, account: acct_ours }

plants:
  - { id: 9001, name: Welwitschia mirabilis, tag: desert, account: acct_ours }

# Plans: what the file says of one changes it, another id adds one.
# plans: [{ id: pro, minute: 10 }, { id: team, minute: 1000, day: 500000, apps: 200, price: 4900 }]

# Records to leave out, by id.
# remove: { plants: [1, 2] }

# Records to make up: plants, apps or users. The same seed makes the same ones.
# generate: { plants: { count: 5000, account: acct_ours, seed: 7 } }
`

export const fixturesCommand = defineCommand({
  command: 'fixtures',
  describe: 'Write a small file of fixtures to begin with',
  subcommands: [
    defineCommand({
      command: 'init [file]',
      describe: 'Write a small file of fixtures to begin with',
      positionals: { file: `The file to write; ${firstFile} by default` },
      flags: {
        force: {
          isOn: false,
          describe: 'Replace a file that is there',
        },
      },
      examples: [['fixtures init', `Write ${firstFile}`]],
      run: ({ file = firstFile, force }, terminal) => writeFixtures(file, force, terminal),
    }),
  ],
})

function writeFixtures(file: string, force: boolean, terminal: Terminal) {
  if (!/^[^.].*\.ya?ml$/.test(basename(file)))
    throw new UsageError(
      `${file}: expected a name that ends in .yaml or .yml, such as ${firstFile}.`,
    )
  if (existsSync(file) && !force)
    throw new UsageError(`${file} exists. Name another file, or replace it with --force.`)
  const hint = existsSync(schema)
    ? `# yaml-language-server: $schema=${relative(dirname(file), schema).replaceAll('\\', '/')}\n`
    : ''
  createFolder(dirname(file))
  writeFile(file, hint + firstFixtures)
  print(terminal, `Wrote ${file}. Serve it: greenhouse-mock serve --fixtures ${dirname(file)}\n`)
}

export const typesCommand = defineCommand({
  command: 'types [folder]',
  describe: 'Print your names for TypeScript: scenarios, operations, assumptions, plans',
  positionals: {
    folder: 'Folder with your scenario files; by default that of the configuration, or scenarios',
  },
  examples: [['types scenarios > greenhouse.d.ts', 'Let world.use() know your scenarios']],
  async run({ folder: given }, terminal) {
    const { toDeclarations } = await import('./declarations.ts')
    const folder = given ?? standardFolder(terminal)
    const greenhouse = await createConfigured(terminal, folder)
    const words = folder === undefined ? 'types' : `types ${folder}`
    print(
      terminal,
      `// Written by: greenhouse-mock ${toVisible(words)}\n${toDeclarations(greenhouse)}`,
    )
  },
})

/** A configuration file without scenarios may still have operations. */
function standardFolder({ config }: Terminal): string | undefined {
  if (!config) return 'scenarios'
  const { scenarios } = config.config
  if (typeof scenarios === 'string') return toShownPath(scenarios)
  return undefined
}

export const configCommand = defineCommand({
  command: 'config',
  describe: 'Print the settings of serve: their values, and where they come from',
  flags: { ...serveCommandFlags, ...jsonFlag },
  examples: [
    ['config', 'What serve would use'],
    ['config --port 4100', 'With a flag'],
  ],
  epilogue:
    'Flags win over variables, variables over greenhouse.config.ts, and that over defaults.',
  async run(args, terminal) {
    const { assumptions } = await toGreenhouseOptions(args, terminal.config)
    const data = listSettings(settings, { ...args, assumptions }, terminal)
    const file = terminal.config?.file ?? null
    const head =
      file ??
      'No configuration file: greenhouse.config.ts, or another ending, in this folder or above.'
    const rows = data.map(({ name, value, from }) => [name, showSetting(value), from])
    const toText = () =>
      `${head}\n\n${toTable([['SETTING', 'VALUE', 'FROM'], ...rows], terminal.stdout.columns)}`
    return {
      answer: { file, data },
      toText,
    }
  },
})

/**
 * Lists settings with their values and where those come from; one without a flag only if the
 * configuration file has it.
 */
export function listSettings(
  all: Readonly<Record<string, Setting>>,
  args: Fields,
  terminal: Pick<Terminal, 'config' | 'env' | 'given'>,
): {
  name: string
  value: unknown
  from: string
}[] {
  const { config } = terminal
  const inFile = new Map(toSettings(config?.config ?? {}))
  return [...flagsByKey(all)].flatMap(([name, flags]) => {
    const own = inFile.get(name)
    if (flags.length === 0 && own === undefined) return []
    const given = flags.flatMap((flag) => sourcesOf(flag, terminal))
    const ofFile = own === undefined || !config ? [] : [basename(config.file)]
    // Assumptions add up; of other settings, one source wins.
    const sources = name === 'assumptions' || given.length === 0 ? [...given, ...ofFile] : given
    const [flag = ''] = flags
    let value = args[toCamelCase(flag)]
    if (name === 'assumptions') value = args[name]
    else if (given.length === 0 && (flag === '' || fileFlags.includes(flag))) value = own
    return [
      {
        name,
        value: hideSecret(name, value),
        from: sources.join(', ') || 'default',
      },
    ]
  })
}

function hideSecret(name: string, value: unknown): unknown {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return null
  if (name === 'token' || (name.startsWith('tls.') && isContent(String(value)))) return '(hidden)'
  const isPlain =
    typeof value !== 'object' || isTexts(value) || name === 'use' || name === 'assumptions'
  return isPlain ? value : '(in the file)'
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function showSetting(value: unknown): string {
  if (value === null) return 'none'
  if (isTexts(value)) return value.join(', ')
  if (typeof value === 'string') return value
  return showValue(value)
}
