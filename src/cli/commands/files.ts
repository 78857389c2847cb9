import { defineCommand } from '../command.ts'
import { existsSync } from 'node:fs'
import { join, basename, dirname, relative } from 'node:path'
import { formatProblem, type Problem } from '../../core/contract/problem.ts'
import { toShownPath } from '../../files/find-config.ts'
import type { Catalogue } from '../../api/assembly/make-catalogue.ts'
import { UsageError } from '../errors.ts'
import { createConfigured } from '../flags/serve.ts'
import { print, type Terminal } from '../terminal.ts'
import { jsonFlag } from '../flags/server.ts'
import { createFolder, writeFile } from '../output/write-file.ts'
import { toVisible } from '../../core/text/messages.ts'

export const checkCommand = defineCommand({
  command: 'check [dirs..]',
  describe: 'Check fixture and scenario files: list mistakes as file:line:column',
  positionals: {
    dirs: 'Folders to check: of scenarios if named scenarios or if their files have titles, otherwise of fixtures; by default those of greenhouse.config.ts, or fixtures and scenarios',
  },
  flags: jsonFlag,
  async run({ dirs }, terminal) {
    const folders = dirs?.length ? dirs : findFolders(terminal)
    const config = dirs?.length ? undefined : terminal.config
    if (folders.length === 0 && !config)
      throw new UsageError('Found no folder "fixtures" or "scenarios" here: name the folders to check.')
    const known = await readCatalogue(terminal)
    const problems = await findProblems(folders, known)
    // Finds mistakes in a configuration whose folders are valid.
    if (problems.length === 0 && config) (await createConfigured({ config })).close()
    const { showProblem } = await import('../../control/shapes.ts')
    const checked = [...folders, ...(config ? [toShownPath(config.file)] : [])].join(', ')
    const lines = problems.length === 0 ? [`${checked}: no problems.`] : problems.map(formatProblem)
    return {
      answer: { data: problems.map(showProblem) },
      toText: () => lines.map((line) => `${line}\n`).join(''),
      hasFailed: problems.length > 0,
    }
  },
})

function findFolders({ config }: Terminal): string[] {
  const { fixtures = 'fixtures', scenarios = 'scenarios' } = config?.config ?? {}
  const folders = [fixtures, scenarios].filter((folder) => typeof folder === 'string')
  return folders.map(toShownPath).filter((folder) => existsSync(folder))
}

async function readCatalogue({ config }: Terminal): Promise<Catalogue> {
  const [{ toCatalogue }, { assertAdditions, toAdditions }] = await Promise.all([
    import('../../api/assembly/create.ts'),
    import('../../files/load-config.ts'),
  ])
  if (config) assertAdditions(config)
  return toCatalogue(config ? toAdditions(config.config) : {})
}

async function findProblems(folders: readonly string[], known: Catalogue): Promise<Problem[]> {
  const { findFixtureProblems, findScenarioProblems, knownWith, readDataFolder } = await import('../../files/load.ts')
  const read = folders.flatMap(withInner).map((folder) => ({ folder, files: readDataFolder(folder) }))
  const isScenarios = ({ folder, files }: (typeof read)[number]) =>
    /(^|[/\\])scenarios[/\\]?$/.test(folder) ||
    files.some(({ data }) => typeof data === 'object' && data !== null && 'title' in data)
  const contract = knownWith(
    read.filter((one) => !isScenarios(one)).flatMap(({ files }) => files),
    known,
  )
  return read.flatMap((one) =>
    isScenarios(one) ? findScenarioProblems(one.files, contract) : findFixtureProblems(one.files, known),
  )
}

function withInner(folder: string): string[] {
  const inside = ['fixtures', 'scenarios'].map((name) => join(folder, name)).filter((path) => existsSync(path))
  return inside.length > 0 ? inside.flatMap(withInner) : [folder]
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
      flags: { force: { isOn: false, describe: 'Replace a file that is there' } },
      examples: [['fixtures init', `Write ${firstFile}`]],
      run: ({ file = firstFile, force }, terminal) => writeFixtures(file, force, terminal),
    }),
  ],
})

function writeFixtures(file: string, force: boolean, terminal: Terminal): void {
  if (!/^[^.].*\.ya?ml$/.test(basename(file)))
    throw new UsageError(`${file}: expected a name that ends in .yaml or .yml, such as ${firstFile}.`)
  if (existsSync(file) && !force) throw new UsageError(`${file} exists. Name another file, or replace it with --force.`)
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
  positionals: { folder: 'Folder with your scenario files; by default that of the configuration, or scenarios' },
  examples: [['types scenarios > greenhouse.d.ts', 'Let world.use() know your scenarios']],
  async run({ folder: given }, terminal) {
    const { toDeclarations } = await import('./declarations.ts')
    const { scenarios } = terminal.config?.config ?? {}
    // A configuration file without scenarios may still have operations.
    const standard = typeof scenarios === 'string' ? toShownPath(scenarios) : terminal.config ? undefined : 'scenarios'
    const folder = given ?? standard
    const greenhouse = await createConfigured(terminal, folder)
    const words = ['types', ...(folder === undefined ? [] : [folder])].join(' ')
    print(terminal, `// Written by: greenhouse-mock ${toVisible(words)}\n${toDeclarations(greenhouse)}`)
  },
})
