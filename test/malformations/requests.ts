import type { World } from '../../src/index.ts'
import type { CallOptions, Client } from '../support/through.ts'

/** A request as `call` sends it; with `key_pro` unless it names another key. */
export type Sent = [method: string, path: string, options?: CallOptions]

/** A request that succeeds on the default world, or what prepares the world and then gives one. */
export type Prepared = Sent | ((call: Client['call'], world: World) => Promise<Sent>)

/**
 * One request an operation. Its reply must have something at every place that the contract knows: lists an item, and what can
 * be null a value where it is an object or a list.
 */
export const requests: Record<string, Prepared> = {
  'plants.create': ['POST', '/plants', { body: { id: 5000, name: 'Ficus', tag: 'tree' } }],
  'plants.list': ['GET', '/plants'],
  'plants.delete': async (_, world) => ['DELETE', `/plants/${world.records.plants.all().find(({ account }) => account === 'acct_pro')!.id}`],
  'apps.list': ['GET', '/v1/apps'],
  'apps.create': ['POST', '/v1/apps', { body: { name: 'helper' } }],
  'apps.get': async (_, world) => ['GET', `/v1/apps/${ownApp(world)}`],
  'apps.update': async (_, world) => ['PATCH', `/v1/apps/${ownApp(world)}`, { body: { description: 'Helps' } }],
  'apps.delete': async (_, world) => ['DELETE', `/v1/apps/${ownApp(world)}`],
}

function ownApp(world: World): string {
  return world.records.apps.all().find(({ account }) => account === 'acct_pro')!.id
}
