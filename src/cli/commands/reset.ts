import type { CommandModule } from 'yargs'
import type { ArgumentsOf } from '../flags.ts'
import { print } from '../print.ts'
import { jsonFlag, serverFlags, toTarget } from '../server-flags.ts'
import { withFlags } from '../yargs-flags.ts'

const flags = { ...serverFlags, ...jsonFlag }

export const resetCommand: CommandModule<object, ArgumentsOf<typeof flags>> = {
  command: 'reset',
  describe: 'Start a world again: data, clock, quotas, scenarios, journal',
  builder: (args) => withFlags(args, flags),
  handler: async ({ json, ...args }) => {
    const { createControlClient } = await import('../control-client.ts')
    const client = createControlClient(toTarget(args))
    const world = await client.call('POST /worlds/{world}/reset')
    if (json) (await import('../print-json.ts')).printJson(world)
    else print(`The world "${client.world}" starts anew.\n`)
  },
}
