import { defineCommand } from '../command.ts'
import { createConfigured } from '../flags/serve.ts'
import { jsonFlag } from '../flags/server.ts'
import { toTable, wrapLines } from '../output/table.ts'
import { print, printJson } from '../terminal.ts'

export const assumptionsCommand = defineCommand({
  command: 'assumptions',
  describe: 'List what the reference leaves open: defaults and alternatives',
  flags: jsonFlag,
  async run({ json }, terminal) {
    const data = (await createConfigured(terminal)).assumptions()
    if (json) return printJson(terminal, { data })
    for (const { id, question, values, source } of data) {
      const [standard, ...alternatives] = values
      const choices = `${standard} (default, ${source})${alternatives.length > 0 ? `; or ${alternatives.join(', ')}` : ''}`
      const lines = [question, choices].flatMap((text) => wrapLines(text, (terminal.stdout.columns ?? Infinity) - 2))
      print(terminal, `${id}\n${lines.map((line) => `  ${line}\n`).join('')}\n`)
    }
  },
})

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
