import { defineCommand } from '../command.ts'
import { createConfigured } from '../flags/serve.ts'
import { jsonFlag } from '../flags/server.ts'
import { print, printJson } from '../terminal.ts'
import { toTable } from '../output/table.ts'

export const routesCommand = defineCommand({
  command: 'routes',
  describe: 'List every operation of both APIs',
  flags: jsonFlag,
  async run({ json }, terminal) {
    const data = (await createConfigured(terminal)).operations()
    if (json) return printJson(terminal, { data })
    const rows = data.map(({ method, path, id, scope, source }) => [method, path, id, scope, source])
    print(terminal, toTable([['METHOD', 'PATH', 'OPERATION', 'SCOPE', 'SOURCE'], ...rows], terminal.stdout.columns))
  },
})
