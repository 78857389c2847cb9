import { createGreenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { createCaller, start, type Client, type OwnClient } from '../support/test-api.ts'

/** A Greenhouse without a server, its clock frozen at the start. */
export function open(options: GreenhouseOptions = {}): OwnClient {
  const greenhouse = createGreenhouse({ now: start, ...options })
  const world = greenhouse.world()
  world.clock.freeze()
  world.clock.set(start)
  const send: Client['send'] = (path, init) => greenhouse.fetch(new Request('http://greenhouse.test' + path, init))
  return { greenhouse, world, send, direct: send, overSocket: false, call: createCaller(send) }
}

/** Subscribes a receiver to events, created plants unless named; gives the webhook with its secret. */
export async function subscribe(
  { call }: Pick<Client, 'call'>,
  url: string,
  events: string[] = ['plant.created'],
): Promise<{ id: string; secret: string }> {
  return (await call('POST', '/v1/webhooks', { body: { url, events } })).body
}

/** Creates plants, one for each event. */
export async function createPlants({ call }: Pick<Client, 'call'>, count: number, from = 9_000): Promise<void> {
  for (let id = from; id < from + count; id++) await call('POST', '/plants', { body: { id, name: 'Fern' } })
}
