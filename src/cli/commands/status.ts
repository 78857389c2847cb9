import type { CommandModule } from 'yargs'
import type { ArgumentsOf } from '../flags.ts'
import { jsonFlag, serverFlags, toTarget } from '../server-flags.ts'
import { withFlags } from '../yargs-flags.ts'

const flags = { ...serverFlags, ...jsonFlag }

export const statusCommand: CommandModule<object, ArgumentsOf<typeof flags>> = {
  command: 'status',
  describe: 'Show a running server: worlds, clock, scenarios, journal, quotas',
  builder: (args) => withFlags(args, flags),
  handler: async ({ json, ...args }) => {
    const { readStatus, toStatusText } = await import('../status.ts')
    const status = await readStatus(toTarget(args))
    if (json) (await import('../print-json.ts')).printJson(status)
    else (await import('../print.ts')).print(toStatusText(status))
  },
}
