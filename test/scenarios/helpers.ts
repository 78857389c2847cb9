import type { GreenhouseOptions, World } from 'greenhouse-mock'
import { type Client, type OwnClient, testApi, tested } from '../support/test-api.ts'

/** A scenario of a test's own, under the name `own`. */
export function own(effects: Record<string, unknown>): Record<'own', object> {
  return { own: { title: 'T', description: 'D', covers: 'C', ...effects } }
}

const throughOnly =
  (adapter: 'core' | 'node server') =>
  (
    title: string,
    run: (client: OwnClient) => Promise<void>,
    options: GreenhouseOptions = {},
  ): void =>
    testApi(
      title,
      options,
      run,
      tested.filter(({ name }) => name === adapter),
    )

/** Runs a test through a server, whose connections things can go wrong on. */
export const throughConnections = throughOnly('node server')

/** Runs a test with very many requests, once. */
export const throughCore = throughOnly('core')

/** Options with one scenario called `it`, of these faults. */
export function faulty(...fault: Record<string, unknown>[]): GreenhouseOptions {
  return { scenarios: { it: { title: 'It', description: 'It.', covers: 'It.', fault } } }
}

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

/**
 * Waits a few turns for something that should not come. If it rightly does not come, load makes no
 * difference.
 */
export async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5))
}

export function posting(body: object): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/** Sends a request whose reply is delayed; `arrived` says whether it came. */
export function hold(
  send: Client['send'],
  path: string,
  init: RequestInit = {},
): { reply: Promise<Response>; arrived(): boolean } {
  let here = false
  const reply = send(path, {
    ...init,
    headers: { authorization: 'Bearer key_pro', ...init.headers },
  }).finally(() => (here = true))
  reply.catch(() => undefined)
  return { reply, arrived: () => here }
}
