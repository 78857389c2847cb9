import * as z from 'zod/mini'
import { builtInCatalogue } from '../../src/catalogue/catalogue.ts'
import type { World } from 'greenhouse-mock'
import { scopes } from '../../src/core/accounts/accounts.ts'
import { requests, type Prepared, type Sent } from '../malformations/requests.ts'
import type { CallOptions, Client } from '../support/test-api.ts'

/**
 * A way to a status: what is special about it, and a request on the default world, or what prepares
 * the world and gives one.
 */
export type Way = readonly [what: string, ask: Prepared]

export type Ways = Readonly<Record<number, readonly Way[]>>

export type Cases = Readonly<Record<string, Ways>>

/** Prepares the world, where that is needed, and gives the request. */
export async function toSent(ask: Prepared, call: Client['call'], world: World): Promise<Sent> {
  return typeof ask === 'function' ? ask(call, world) : ask
}

function soundRequest(id: string): Prepared {
  const ask = requests[id]
  if (!ask)
    throw new RangeError(`There is no sound request of ${id} in test/malformations/requests.ts.`)
  return ask
}

function sound(id: string): Way {
  return ['a sound request', soundRequest(id)]
}

/** A request that would succeed, with something about it changed. */
export function changed(
  id: string,
  what: string,
  change: (sent: Sent, call: Client['call'], world: World) => Sent | Promise<Sent>,
): Way {
  return [
    what,
    async (call, world) => change(await toSent(soundRequest(id), call, world), call, world),
  ]
}

export function but(id: string, what: string, options: CallOptions): Way {
  return changed(id, what, ([method, path, before]) => [method, path, { ...before, ...options }])
}

export function withBodies(id: string, ...bodies: unknown[]): Way[] {
  return bodies.map((body) => but(id, `the body ${JSON.stringify(body)}`, { body }))
}

export function withQueries(id: string, ...queries: string[]): Way[] {
  return queries.map((query) =>
    changed(id, `?${query}`, ([method, path, options]) => {
      return [method, `${path}${path.includes('?') ? '&' : '?'}${query}`, options]
    }),
  )
}

/** The request in another world, with other options if given. */
export function when(
  id: string,
  what: string,
  arrange: (world: World) => unknown,
  options: CallOptions = {},
): Way {
  return changed(id, what, async ([method, path, before], _, world) => {
    await arrange(world)
    return [method, path, { ...before, ...options }]
  })
}

/** The ways to the success of an operation, also with the other status of apps that is assumed. */
export function success(id: string): Ways {
  const [, verb] = /^(?!plants).*\.(create|delete)$/.exec(id) ?? []
  const ways = [sound(id), ...mayWrite(id)]
  if (verb !== undefined) {
    const assumption = verb === 'create' ? 'apps.create.status' : 'apps.delete.status'
    const other = when(id, `with ${assumption}=200`, (world) => world.assume(assumption, '200'))
    return { [verb === 'create' ? 201 : 204]: ways, 200: [other] }
  }
  if (id === 'plants.delete') return { 204: ways }
  return { [/^(webhooks.test|deliveries.redeliver)$/.test(id) ? 202 : 200]: ways }
}

export function together(...tables: Ways[]): Ways {
  const all: Record<number, Way[]> = {}
  for (const table of tables)
    for (const [status, ways] of Object.entries(table)) (all[Number(status)] ??= []).push(...ways)
  return all
}

/** The rejections that follow from an operation's declaration. */
export function rejections(id: string): Ways {
  const operation = builtInCatalogue.operations.find((one) => one.id === id)!
  const { scope, path, body, bodyIsOptional, method, result } = operation
  const isOfApps = !id.startsWith('plants.')
  return {
    400: [
      ...withQueries(id, 'x=%zz'),
      ...(body ? withBodies(id, 'no JSON', [], ...(bodyIsOptional ? [] : [''])) : []),
      ...(isOfApps && method === 'POST' ? [reusedKey(id)] : []),
      ...(isPaged(result) ? withQueries(id, ...badPages) : []),
    ],
    401: [
      but(id, 'no key', { key: null }),
      ...['key_unknown', 'key_expired', 'key_revoked'].map((key) => but(id, key, { key })),
      when(id, 'a key that expired since', (world) => world.use('expired-key')),
    ],
    403: scope === 'any' ? [] : [lacking(id, scope)],
    404: isOfApps ? unknown(id, path) : [],
    429: ['minute', 'day'].map((window) =>
      when(id, `the ${window} is spent`, (world) => {
        world.assume('plants.rate-limits', 'on')
        world.use('rate-limited-plan', { window: window as never })
      }),
    ),
    500: [when(id, 'server-error', (world) => world.use('server-error'))],
  }
}

const badPages = [
  'limit=0',
  'limit=101',
  'limit=x',
  'limit=',
  'limit=-1',
  'limit=1.0',
  'limit=%205',
  'limit=1e1',
  'cursor=x',
  'order=up',
  `cursor=c_${'0'.repeat(9)}`,
]

function isPaged(result: z.ZodMiniType | undefined): boolean {
  return result instanceof z.ZodMiniObject && 'next_cursor' in result.shape
}

function lacking(id: string, scope: string): Way {
  // Write scopes of webhooks, deployments and payments include reading.
  const others = scopes.filter(
    (known) =>
      known !== scope &&
      known !== scope.replace(/^(webhooks|deployments|payments):read$/, '$1:write'),
  )
  const limit = (world: World) =>
    world.records.keys.create({ secret: 'key_limited', account: 'acct_pro', scopes: others })
  return when(id, `all scopes but ${scope}`, limit, { key: 'key_limited' })
}

/** A scope to write webhooks, deployments or payments permits to read them. */
function mayWrite(id: string): Way[] {
  const { scope } = builtInCatalogue.operations.find((one) => one.id === id)!
  const [, wider] = /^((?:webhooks|deployments|payments):)read$/.exec(scope) ?? []
  if (wider === undefined) return []
  const scopes = [`${wider}write` as 'payments:write']
  const limit = (world: World) =>
    world.records.keys.create({ secret: 'key_writer', account: 'acct_pro', scopes })
  return [when(id, `the scope ${wider}write alone`, limit, { key: 'key_writer' })]
}

/**
 * For each object of the path one that is not there, and one that is another account's or another
 * app's.
 */
function unknown(id: string, template: string): Way[] {
  const places = ('/v1' + template)
    .split('/')
    .flatMap((step, place) => (step.startsWith('{') ? [place] : []))
  if (places.length === 0) return []
  if (template === '/plans/{plan_id}')
    return [changed(id, 'no such plan', ([method]) => [method, '/v1/plans/gold'])]
  const missing = places.map((place) =>
    changed(id, `part ${place} of the path is not there`, ([method, path, options]) => [
      method,
      path.split('/').with(place, 'none_aaaaaaaaaaaaaaaa').join('/'),
      options,
    ]),
  )
  const ofAnotherApp = changed(id, "another app's", ([method, path, options]) => [
    method,
    path.replace(/app_[^/]+/, 'app_wfr4wqydlhx43ree'),
    options,
  ])
  return [
    ...missing,
    but(id, "another account's", { key: 'key_pro_plus' }),
    ...(template.startsWith('/apps/') && places.length > 1 ? [ofAnotherApp] : []),
  ]
}

function reusedKey(id: string): Way {
  const headers = { 'idempotency-key': 'used' }
  return changed(
    id,
    'an Idempotency-Key of another request',
    async ([method, path, options], call) => {
      await call('POST', '/v1/apps', { body: { name: 'first' }, headers })
      return [method, path, { ...options, headers }]
    },
  )
}
