import type { World } from 'greenhouse-mock'
import type { Client } from '../../support/test-api.ts'

/** Waits until the world has answered so many requests, whether the replies have left or not. */
export async function answered(world: World, count = 1): Promise<void> {
  if (world.journal.size < count)
    await new Promise<void>((resolve) => {
      const unsubscribe = world.journal.subscribe(() => {
        if (world.journal.size < count) return
        unsubscribe()
        resolve()
      })
    })
  // The reply is held back, or not, in the same turn as the entry is written.
  await new Promise((resolve) => setTimeout(resolve, 1))
}

/** Waits a few turns for something that should not come. If it rightly does not come, load makes no difference. */
export async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Sends a request whose reply is delayed; `arrived` says whether it came. */
export function hold(
  send: Client['send'],
  path: string,
  init: RequestInit = {},
): { reply: Promise<Response>; arrived(): boolean } {
  let here = false
  const reply = send(path, { ...init, headers: { authorization: 'Bearer key_pro', ...init.headers } }).finally(
    () => (here = true),
  )
  reply.catch(() => undefined)
  return { reply, arrived: () => here }
}
