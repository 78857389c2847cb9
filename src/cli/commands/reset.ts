import type { Command } from '../command.ts'
import type { ControlClient } from '../control-client.ts'
import type { ArgumentsOf } from '../flags.ts'
import { print } from '../print.ts'
import { jsonFlag, serverFlags, toTarget } from '../server-flags.ts'
import { withFlags } from '../yargs-flags.ts'

const flags = { ...serverFlags, ...jsonFlag }

/** @throws Error for a world that never was: its name may be misspelt. */
async function assertWorld(client: ControlClient): Promise<void> {
  const { data } = await client.call('GET /worlds')
  const names = data.map(({ name }) => name)
  if (names.includes(client.world)) return
  const { suggest } = await import('../../core/definitions/suggest.ts')
  throw new Error(
    `Failed to reset the world "${client.world}": there is no such world.${suggest(client.world, names)} The first request to a world creates it.`,
  )
}

export const resetCommand: Command<ArgumentsOf<typeof flags>> = {
  command: 'reset',
  describe: 'Start a world again: data, clock, quotas, scenarios, journal',
  builder: (args, terminal) => withFlags(args, flags, terminal.env),
  handler: async ({ json, ...args }, terminal) => {
    const { createControlClient } = await import('../control-client.ts')
    const client = createControlClient(toTarget(args, terminal.env))
    await assertWorld(client)
    const world = await client.call('POST /worlds/{world}/reset')
    if (json) (await import('../print-json.ts')).printJson(terminal, world)
    else print(terminal, `The world "${client.world}" was started again.\n`)
  },
}
