import type { CommandModule } from 'yargs'
import { print } from '../print.ts'

export const assumptionsCommand: CommandModule = {
  command: 'assumptions',
  describe: 'List what the reference leaves open, with the default and the alternatives',
  handler: async () => {
    const { createGreenhouse } = await import('../../greenhouse/create.ts')
    for (const { id, question, values, source } of createGreenhouse().assumptions()) {
      const [standard, ...alternatives] = values
      print(
        `${id}\n  ${question}\n  ${standard} (default, ${source})${alternatives.length > 0 ? `; or ${alternatives.join(', ')}` : ''}\n\n`,
      )
    }
  },
}
