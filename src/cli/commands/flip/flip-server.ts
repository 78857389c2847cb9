import { serve, type ServeOptions } from '../../../adapters/server.ts'
import { createWatchedGreenhouse } from '../../../api/assembly/create.ts'
import type { GreenhouseOptions } from '../../../api/greenhouse.ts'
import { toCommandEnvironment } from '../../process/command-environment.ts'
import { withUsageErrors } from '../../flags/greenhouse.ts'
import { guardConsole } from '../../output/console-guard.ts'
import type { ServeArguments } from '../../flags/serve.ts'
import type { Terminal } from '../../terminal.ts'

export async function startFlipServer(
  terminal: Terminal,
  options: GreenhouseOptions,
  { port, host, allowHost, token }: Pick<ServeArguments, 'port' | 'host' | 'allowHost' | 'token'>,
  first: ServeOptions['first'],
) {
  const consulted = new Set<string>()
  const greenhouse = withUsageErrors(options, (all) =>
    createWatchedGreenhouse(all, { onAssumptionRead: (id) => consulted.add(id) }),
  )
  const endGuard = guardConsole(terminal, greenhouse.redact)
  let requests = 0
  greenhouse.observe(() => void requests++)
  const server = await serve(greenhouse, { port, host, allowHosts: allowHost, token, first }).catch(
    (error: unknown) => {
      endGuard()
      throw error
    },
  )
  return {
    env: toCommandEnvironment({ greenhouse, server, world: 'default' }, token, terminal.env),
    consulted,
    get requests() {
      return requests
    },
    close: () => server.close().finally(endGuard),
  }
}
