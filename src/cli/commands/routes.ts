import type { CommandModule } from 'yargs'
import type { ArgumentsOf } from '../flags.ts'
import { print } from '../print.ts'
import { jsonFlag } from '../server-flags.ts'
import { toTable } from '../table.ts'
import { withFlags } from '../yargs-flags.ts'

export const routesCommand: CommandModule<object, ArgumentsOf<typeof jsonFlag>> = {
  command: 'routes',
  describe: 'List every operation of both APIs',
  builder: (args) => withFlags(args, jsonFlag),
  handler: async ({ json }) => {
    const { createGreenhouse } = await import('../../greenhouse/create.ts')
    const data = createGreenhouse().operations()
    if (json) return (await import('../print-json.ts')).printJson({ data })
    const rows = data.map(({ method, path, id, scope, source }) => [method, path, id, scope, source])
    print(toTable([['METHOD', 'PATH', 'OPERATION', 'SCOPE', 'SOURCE'], ...rows]))
  },
}
