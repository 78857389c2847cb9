import { defineCommand } from '../command.ts'
import { createConfigured } from '../flags/serve.ts'
import { jsonFlag } from '../flags/server.ts'
import { print, printJson } from '../terminal.ts'
import { wrapLines } from '../output/table.ts'

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
