import type { Command } from '../command.ts'
import type { ArgumentsOf } from '../flags.ts'
import { print } from '../print.ts'
import { jsonFlag } from '../server-flags.ts'
import { toTable } from '../table.ts'
import { withFlags } from '../yargs-flags.ts'

export const routesCommand: Command<ArgumentsOf<typeof jsonFlag>> = {
  command: 'routes',
  describe: 'List every operation of both APIs',
  builder: (args, terminal) => withFlags(args, jsonFlag, terminal.env),
  handler: async ({ json }, terminal) => {
    const { createGreenhouse } = await import('../../greenhouse/create.ts')
    const data = createGreenhouse().operations()
    if (json) return (await import('../print-json.ts')).printJson(terminal, { data })
    const rows = data.map(({ method, path, id, scope, source }) => [method, path, id, scope, source])
    print(terminal, toTable([['METHOD', 'PATH', 'OPERATION', 'SCOPE', 'SOURCE'], ...rows], terminal.stdout.columns))
  },
}
