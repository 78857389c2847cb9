import { type Command, withFlags } from '../command.ts'
import type { ArgumentsOf } from '../flags/flags.ts'
import { callFlags, toTarget } from '../flags/server.ts'
import { print, printJson } from '../output/print.ts'

export const statusCommand: Command<ArgumentsOf<typeof callFlags>> = {
  command: 'status',
  describe: 'Show a running server: worlds, clock, scenarios, journal, quotas',
  builder: (args, terminal) => withFlags(args, callFlags, terminal),
  handler: async ({ json, ...args }, terminal) => {
    const { readStatus, toStatusText } = await import('./read-status.ts')
    const status = await readStatus(toTarget(args, terminal))
    if (json) printJson(terminal, status)
    else print(terminal, toStatusText(status))
  },
}
