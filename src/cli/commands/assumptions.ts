import { type Command, withFlags } from '../command.ts'
import type { ArgumentsOf } from '../flags/flags.ts'
import { createConfigured } from '../flags/serve.ts'
import { print, printJson } from '../output/print.ts'
import { jsonFlag } from '../flags/server.ts'
import { wrapLines } from '../output/table.ts'

export const assumptionsCommand: Command<ArgumentsOf<typeof jsonFlag>> = {
  command: 'assumptions',
  describe: 'List what the reference leaves open: defaults and alternatives',
  builder: (args, terminal) => withFlags(args, jsonFlag, terminal),
  handler: async ({ json }, terminal) => {
    const data = (await createConfigured(terminal)).assumptions()
    if (json) return printJson(terminal, { data })
    for (const { id, question, values, source } of data) {
      const [standard, ...alternatives] = values
      const choices = `${standard} (default, ${source})${alternatives.length > 0 ? `; or ${alternatives.join(', ')}` : ''}`
      const lines = [question, choices].flatMap((text) => wrapLines(text, (terminal.stdout.columns ?? Infinity) - 2))
      print(terminal, `${id}\n${lines.map((line) => `  ${line}\n`).join('')}\n`)
    }
  },
}
