import { type Command, withFlags } from '../command.ts'
import { connect } from '../connect.ts'
import type { ArgumentsOf } from '../flags/flags.ts'
import { print, printJson } from '../output/print.ts'
import { callFlags } from '../flags/server.ts'

export const resetCommand: Command<ArgumentsOf<typeof callFlags>> = {
  command: 'reset',
  describe: 'Reset a world to its start: data, clock, quotas, scenarios, journal',
  builder: (args, terminal) => withFlags(args, callFlags, terminal),
  handler: async ({ json, ...args }, terminal) => {
    const client = await connect(args, terminal)
    // A reset creates an unknown world, so a misspelt name must fail here.
    await client.call('GET /worlds/{world}')
    const world = await client.call('POST /worlds/{world}/reset')
    if (json) printJson(terminal, world)
    else print(terminal, `The world "${client.world}" was reset.\n`)
  },
}
