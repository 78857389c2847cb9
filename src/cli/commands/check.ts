import { defineCommand } from '../command.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { formatProblem, type Problem } from '../../core/contract/problem.ts'
import { toShownPath } from '../../files/find-config.ts'
import type { Catalogue } from '../../api/assembly/make-catalogue.ts'
import { FailedCheck, UsageError } from '../errors.ts'
import { createConfigured } from '../flags/serve.ts'
import { print, printJson, type Terminal } from '../terminal.ts'
import { jsonFlag } from '../flags/server.ts'

export const checkCommand = defineCommand({
  command: 'check [dirs..]',
  describe: 'Check fixture and scenario files: list mistakes as file:line:column',
  positionals: () => ({
    dirs: {
      describe:
        'Folders to check: of scenarios if named scenarios or if their files have titles, otherwise of fixtures; by default those of greenhouse.config.ts, or fixtures and scenarios',
    },
  }),
  flags: jsonFlag,
  async run({ dirs, json }, terminal) {
    const folders = dirs?.length ? dirs : findFolders(terminal)
    const config = dirs?.length ? undefined : terminal.config
    if (folders.length === 0 && !config)
      throw new UsageError('Found no folder "fixtures" or "scenarios" here: name the folders to check.')
    const known = await readCatalogue(terminal)
    const problems = await findProblems(folders, known)
    // Finds mistakes in a configuration whose folders are valid.
    if (problems.length === 0 && config) (await createConfigured({ config })).close()
    if (json) await printProblems(terminal, problems)
    else if (problems.length === 0)
      print(terminal, `${[...folders, ...(config ? [toShownPath(config.file)] : [])].join(', ')}: no problems.\n`)
    else print(terminal, problems.map((problem) => formatProblem(problem) + '\n').join(''))
    if (problems.length > 0) throw new FailedCheck()
  },
})

function findFolders({ config }: Terminal): string[] {
  const { fixtures = 'fixtures', scenarios = 'scenarios' } = config?.config ?? {}
  const folders = [fixtures, scenarios].filter((folder) => typeof folder === 'string')
  return folders.map(toShownPath).filter((folder) => existsSync(folder))
}

async function printProblems(terminal: Terminal, problems: readonly Problem[]): Promise<void> {
  const { showProblem } = await import('../../control/shapes.ts')
  printJson(terminal, { data: problems.map(showProblem) })
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
