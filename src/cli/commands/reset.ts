import { defineCommand } from '../command.ts'
import { connect } from '../control-client.ts'
import { callFlags } from '../flags/server.ts'
import { print, printJson } from '../terminal.ts'

export const resetCommand = defineCommand({
  command: 'reset',
  describe: 'Reset a world to its start: data, clock, quotas, scenarios, journal',
  flags: callFlags,
  async run({ json, ...args }, terminal) {
    const client = connect(args, terminal)
    // A reset creates an unknown world, so a misspelt name must fail here.
    await client.call('GET /worlds/{world}')
    const world = await client.call('POST /worlds/{world}/reset')
    if (json) printJson(terminal, world)
    else print(terminal, `The world "${client.world}" was reset.\n`)
  },
})
