import type { Command } from '../command.ts'
import { toShownPath } from '../../files/shown-path.ts'
import { print } from '../output/print.ts'
import { withFlags } from '../flags/yargs-flags.ts'

export const typesCommand: Command<{ folder: string }> = {
  command: 'types [folder]',
  describe: 'Print the names and options of your scenarios for TypeScript',
  builder: (args, { env, config: { config: { scenarios: ofFile } = {} } = {} }) =>
    withFlags(
      args.positional('folder', {
        type: 'string',
        default: typeof ofFile === 'string' ? toShownPath(ofFile) : 'scenarios',
        describe: 'Folder with your scenario files',
      }),
      {},
      env,
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
