import type { World } from '../../../src/index.ts'
import type { Client } from '../../support/through.ts'

/** Waits until the world has answered so many requests since the last look, whether the replies have left or not. */
export async function answered(world: World, count = 1): Promise<void> {
  while (world.journal.calls().length < count) await new Promise((resolve) => setTimeout(resolve, 1))
  // The reply is held back, or not, in the same turn as the entry is written.
  await new Promise((resolve) => setTimeout(resolve, 1))
}

/** Sends a request whose reply is held back; `arrived` tells whether it came. */
export function hold(send: Client['send'], path: string, init: RequestInit = {}): { reply: Promise<Response>; arrived(): boolean } {
  let here = false
  const reply = send(path, { ...init, headers: { authorization: 'Bearer key_pro', ...init.headers } }).finally(() => (here = true))
  reply.catch(() => undefined)
  return { reply, arrived: () => here }
}
