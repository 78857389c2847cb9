import { contract } from '../../src/api/assembly/catalogue.ts'
import type { World } from 'greenhouse-mock'
import { requests, type Prepared, type Sent } from '../malformations/requests.ts'
import type { CallOptions, Client } from '../support/test-api.ts'

/** A way to a status: what is special about it, and a request on the default world, or what prepares the world and gives one. */
export type Way = readonly [what: string, ask: Prepared]

/** The ways to each status. */
export type Ways = Readonly<Record<number, readonly Way[]>>

/** The ways to each status of each operation. */
export type Cases = Readonly<Record<string, Ways>>

/** Prepares the world, where that is needed, and gives the request. */
export async function toSent(ask: Prepared, call: Client['call'], world: World): Promise<Sent> {
  return typeof ask === 'function' ? ask(call, world) : ask
}

/** An operation's request that succeeds. @throws RangeError when test/malformations/requests.ts has none. */
export function soundRequest(id: string): Prepared {
  const ask = requests[id]
  if (!ask) throw new RangeError(`There is no sound request of ${id} in test/malformations/requests.ts.`)
  return ask
}

/** The operation as the contract has it. @throws RangeError when it has none of that id. */
export function operationOf(id: string) {
  const found = contract.operations.find((operation) => operation.id === id)
  if (!found) throw new RangeError(`There is no operation ${id}, though test/coverage/cases has ways of it.`)
  return found
}

export function sound(id: string): Way {
  return ['a sound request', soundRequest(id)]
}

/** A request that would succeed, with something about it changed. */
export function changed(
  id: string,
  what: string,
  change: (sent: Sent, call: Client['call'], world: World) => Sent | Promise<Sent>,
): Way {
  return [what, async (call, world) => change(await toSent(soundRequest(id), call, world), call, world)]
}

/** The request with another key, body or headers. */
export function but(id: string, what: string, options: CallOptions): Way {
  return changed(id, what, ([method, path, before]) => [method, path, { ...before, ...options }])
}

/** The request with another body. */
export function withBody(id: string, body: unknown): Way {
  return but(id, `the body ${JSON.stringify(body)}`, { body })
}

/** The request with a query. */
export function withQuery(id: string, query: string): Way {
  return changed(id, `?${query}`, ([method, path, options]) => [
    method,
    `${path}${path.includes('?') ? '&' : '?'}${query}`,
    options,
  ])
}

/** The request in another world, with other options if given. */
export function when(id: string, what: string, arrange: (world: World) => unknown, options: CallOptions = {}): Way {
  return changed(id, what, async ([method, path, before], _, world) => {
    await arrange(world)
    return [method, path, { ...before, ...options }]
  })
}

/** A creation's success, also with the other status that is assumed. */
export function created(id: string): Ways {
  return {
    201: [sound(id)],
    200: [when(id, 'with apps.create.status=200', (world) => world.assume('apps.create.status', '200'))],
  }
}

/** A deletion's success, also with the other status that is assumed. */
export function deleted(id: string): Ways {
  return {
    204: [sound(id)],
    200: [when(id, 'with apps.delete.status=200', (world) => world.assume('apps.delete.status', '200'))],
  }
}

/** The ways of several tables, all of them together. */
export function together(...tables: Ways[]): Ways {
  const all: Record<number, Way[]> = {}
  for (const table of tables)
    for (const [status, ways] of Object.entries(table)) (all[Number(status)] ??= []).push(...ways)
  return all
}
