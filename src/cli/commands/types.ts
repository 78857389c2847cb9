import { defineCommand } from '../command.ts'
import { toVisible } from '../../core/text/messages.ts'
import { toShownPath } from '../../files/find-config.ts'
import { createConfigured } from '../flags/serve.ts'
import { print } from '../terminal.ts'

export const typesCommand = defineCommand({
  command: 'types [folder]',
  describe: 'Print your names for TypeScript: scenarios, operations, assumptions, plans',
  positionals({ config }) {
    const { scenarios } = config?.config ?? {}
    // A configuration file without scenarios may still have operations.
    const folder = typeof scenarios === 'string' ? toShownPath(scenarios) : config ? undefined : 'scenarios'
    return { folder: { ...(folder !== undefined && { default: folder }), describe: 'Folder with your scenario files' } }
  },
  examples: [['types scenarios > greenhouse.d.ts', 'Let world.use() know your scenarios']],
  async run({ folder }, terminal) {
    const { toDeclarations } = await import('./declarations.ts')
    const greenhouse = await createConfigured(terminal, folder)
    const words = ['types', ...(folder === undefined ? [] : [folder])].join(' ')
    print(terminal, `// Written by: greenhouse-mock ${toVisible(words)}\n${toDeclarations(greenhouse)}`)
  },
})
