import type { CommandModule } from 'yargs'
import { toTable } from '../table.ts'
import { print } from '../print.ts'

export const routesCommand: CommandModule = {
  command: 'routes',
  describe: 'List every operation of both APIs',
  handler: async () => {
    const { createGreenhouse } = await import('../../greenhouse/create.ts')
    const rows = createGreenhouse()
      .operations()
      .map(({ method, path, id, scope, source }) => [method, path, id, scope, source])
    print(toTable([['METHOD', 'PATH', 'OPERATION', 'SCOPE', 'SOURCE'], ...rows]))
  },
}
