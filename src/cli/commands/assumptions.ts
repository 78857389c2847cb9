import type { Command } from '../command.ts'
import type { ArgumentsOf } from '../flags.ts'
import { print } from '../print.ts'
import { jsonFlag } from '../server-flags.ts'
import { wrapLines } from '../wrap.ts'
import { withFlags } from '../yargs-flags.ts'

export const assumptionsCommand: Command<ArgumentsOf<typeof jsonFlag>> = {
  command: 'assumptions',
  describe: 'List what the reference leaves open: defaults and alternatives',
  builder: (args, terminal) => withFlags(args, jsonFlag, terminal.env),
  handler: async ({ json }, terminal) => {
    const { createGreenhouse } = await import('../../greenhouse/create.ts')
    const data = createGreenhouse().assumptions()
    if (json) return (await import('../print-json.ts')).printJson(terminal, { data })
    for (const { id, question, values, source } of data) {
      const [standard, ...alternatives] = values
      const choices = `${standard} (default, ${source})${alternatives.length > 0 ? `; or ${alternatives.join(', ')}` : ''}`
      const lines = [question, choices].flatMap((text) => wrapLines(text, (terminal.stdout.columns ?? Infinity) - 2))
      print(terminal, `${id}\n${lines.map((line) => `  ${line}\n`).join('')}\n`)
    }
  },
}
