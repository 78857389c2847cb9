import type { Command } from '../command.ts'
import { toShownPath } from '../../files/shown-path.ts'
import type { Terminal } from '../terminal.ts'
import { print } from '../output/print.ts'
import { withFlags } from '../flags/yargs-flags.ts'

/** Returns the folder that the configuration file names. */
function ofFile({ config }: Terminal): string | undefined {
  const { scenarios } = config?.config ?? {}
  return typeof scenarios === 'string' ? toShownPath(scenarios) : undefined
}

export const typesCommand: Command<{ folder: string }> = {
  command: 'types [folder]',
  describe: 'Print the names and options of your scenarios for TypeScript',
  builder: (args, terminal) =>
    withFlags(
      args.positional('folder', {
        type: 'string',
        default: ofFile(terminal) ?? 'scenarios',
        describe: 'Folder with your scenario files',
      }),
      {},
      terminal.env,
    ).example('$0 types scenarios > greenhouse.d.ts', 'Let world.use() know your scenarios') as never,
  handler: async ({ folder }, terminal) => {
    const [{ createGreenhouse }, { loadScenarios }, { toScenarioTypes }] = await Promise.all([
      import('../../greenhouse/assembly/create.ts'),
      import('../../files/load.ts'),
      import('./scenario-types.ts'),
    ])
    const scenarios = loadScenarios(folder)
    const own = createGreenhouse({ scenarios })
      .scenarios()
      .filter(({ name }) => Object.hasOwn(scenarios, name))
    print(
      terminal,
      `// Written by: greenhouse-mock types ${folder}\nimport type { OperationPattern } from 'greenhouse-mock'\n\ndeclare module 'greenhouse-mock' {\n  interface Scenarios {\n${toScenarioTypes(own, '    ')}\n  }\n}\n`,
    )
  },
}
