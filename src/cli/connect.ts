import type { ControlClient } from './control-client.ts'
import { toTarget, type ServerArguments } from './flags/server.ts'
import type { Terminal } from './terminal.ts'

export async function connect(args: ServerArguments, terminal: Terminal): Promise<ControlClient> {
  const target = toTarget(args, terminal)
  const { createControlClient } = await import('./control-client.ts')
  return createControlClient(target)
}
