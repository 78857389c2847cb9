import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { formatProblem, type Problem } from '../../core/definitions/problem.ts'
import type { Command } from '../command.ts'
import { FailedCheck, UsageError } from '../errors.ts'
import type { ArgumentsOf } from '../flags/flags.ts'
import { print } from '../output/print.ts'
import { jsonFlag } from '../flags/server.ts'
import type { Terminal } from '../terminal.ts'
import { withFlags } from '../flags/yargs-flags.ts'

export const checkCommand: Command<ArgumentsOf<typeof jsonFlag> & { dirs?: string[] }> = {
  command: 'check [dirs..]',
  describe: 'Check fixture and scenario files: list every mistake as file:line:column',
  builder: (args, terminal) =>
    withFlags(
      args.positional('dirs', {
        type: 'string',
        array: true,
        describe:
          'Folders to check: of scenarios if named scenarios or if their files have titles, otherwise of fixtures; by default fixtures and scenarios',
      }),
      jsonFlag,
      terminal.env,
    ),
  handler: async ({ dirs, json }, terminal) => {
    const folders = dirs?.length ? dirs : ['fixtures', 'scenarios'].filter((folder) => existsSync(folder))
    if (folders.length === 0)
      throw new UsageError('Found no folder "fixtures" or "scenarios" here: name the folders to check.')
    const problems = (await Promise.all(folders.map(checkFolder))).flat()
    if (json) await printProblems(terminal, problems)
    else if (problems.length === 0) print(terminal, `${folders.join(', ')}: no problems.\n`)
    else print(terminal, problems.map((problem) => formatProblem(problem) + '\n').join(''))
    if (problems.length > 0) throw new FailedCheck()
  },
}

async function printProblems(terminal: Terminal, problems: readonly Problem[]): Promise<void> {
  const [{ showProblem }, { printJson }] = await Promise.all([
    import('../../control/problems.ts'),
    import('../output/print-json.ts'),
  ])
  printJson(terminal, { data: problems.map(showProblem) })
}

async function checkFolder(folder: string): Promise<Problem[]> {
  const { findFixtureProblems, findScenarioProblems } = await import('../../files/load.ts')
  const { readDataFolder } = await import('../../files/folder.ts')
  const inside = ['fixtures', 'scenarios'].map((name) => join(folder, name)).filter((path) => existsSync(path))
  if (inside.length > 0) return (await Promise.all(inside.map(checkFolder))).flat()
  const files = readDataFolder(folder)
  const isScenarios =
    /(^|[/\\])scenarios[/\\]?$/.test(folder) ||
    files.some(({ data }) => typeof data === 'object' && data !== null && 'title' in data)
  return isScenarios ? findScenarioProblems(files) : findFixtureProblems(files)
}
