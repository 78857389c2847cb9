import { toVisible } from '../../core/text/messages.ts'
import type { Command } from '../command.ts'
import { toShownPath } from '../../files/find-config.ts'
import { createConfigured } from '../flags/serve.ts'
import { print } from '../output/print.ts'

export const typesCommand: Command<{ folder?: string }> = {
  command: 'types [folder]',
  describe: 'Print your names for TypeScript: scenarios, operations, assumptions, plans',
  builder: (args, { config }) => {
    const { scenarios } = config?.config ?? {}
    // A configuration file without scenarios may still have operations.
    const defaultFolder = typeof scenarios === 'string' ? toShownPath(scenarios) : config ? undefined : 'scenarios'
    return args
      .positional('folder', {
        type: 'string',
        ...(defaultFolder !== undefined && { default: defaultFolder }),
        describe: 'Folder with your scenario files',
      })
      .example('$0 types scenarios > greenhouse.d.ts', 'Let world.use() know your scenarios')
  },
  handler: async ({ folder }, terminal) => {
    const { toDeclarations } = await import('./declarations.ts')
    const greenhouse = await createConfigured(terminal, folder)
    const words = ['types', ...(folder === undefined ? [] : [folder])].join(' ')
    print(terminal, `// Written by: greenhouse-mock ${toVisible(words)}\n${toDeclarations(greenhouse)}`)
  },
}
