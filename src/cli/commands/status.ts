import type { Command } from '../command.ts'
import type { ArgumentsOf } from '../flags.ts'
import { jsonFlag, serverFlags, toTarget } from '../server-flags.ts'
import { withFlags } from '../yargs-flags.ts'

const flags = { ...serverFlags, ...jsonFlag }

export const statusCommand: Command<ArgumentsOf<typeof flags>> = {
  command: 'status',
  describe: 'Show a running server: worlds, clock, scenarios, journal, quotas',
  builder: (args, terminal) => withFlags(args, flags, terminal.env),
  handler: async ({ json, ...args }, terminal) => {
    const { readStatus, toStatusText } = await import('../status.ts')
    const status = await readStatus(toTarget(args, terminal.env))
    if (json) (await import('../print-json.ts')).printJson(terminal, status)
    else (await import('../print.ts')).print(terminal, toStatusText(status))
  },
}
