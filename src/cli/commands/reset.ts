import { defineServerCommand } from '../running-server.ts'

export const resetCommand = defineServerCommand({
  command: 'reset',
  describe: 'Reset a world to its start: data, clock, quotas, scenarios, journal',
  async run(server) {
    // A reset creates an unknown world, so a misspelt name must fail here.
    await server.call('GET /worlds/{world}')
    const answer = await server.call('POST /worlds/{world}/reset')
    return { answer, toText: () => `The world "${server.world}" was reset.\n` }
  },
})
