import { type Command, withFlags } from '../command.ts'
import type { ArgumentsOf } from '../flags/flags.ts'
import { createConfigured } from '../flags/serve.ts'
import { print, printJson } from '../output/print.ts'
import { jsonFlag } from '../flags/server.ts'
import { toTable } from '../output/table.ts'

export const routesCommand: Command<ArgumentsOf<typeof jsonFlag>> = {
  command: 'routes',
  describe: 'List every operation of both APIs',
  builder: (args, terminal) => withFlags(args, jsonFlag, terminal),
  handler: async ({ json }, terminal) => {
    const data = (await createConfigured(terminal)).operations()
    if (json) return printJson(terminal, { data })
    const rows = data.map(({ method, path, id, scope, source }) => [method, path, id, scope, source])
    print(terminal, toTable([['METHOD', 'PATH', 'OPERATION', 'SCOPE', 'SOURCE'], ...rows], terminal.stdout.columns))
  },
}
