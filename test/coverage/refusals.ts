import * as z from 'zod/mini'
import { scopes } from '../../src/core/accounts/accounts.ts'
import type { World } from 'greenhouse-mock'
import {
  but,
  changed,
  operationOf,
  together,
  when,
  withBody,
  withQuery,
  type Cases,
  type Way,
  type Ways,
} from './ways.ts'

/** The ways of an operation: those that follow from its declaration, and its own. */
export function waysOf(id: string, own: Ways): Cases {
  return { [id]: together(refusals(id), own) }
}

/** Refusals that follow from an operation's declaration. */
function refusals(id: string): Ways {
  const { scope, path, body, bodyIsOptional, method, result } = operationOf(id)
  const isOfApps = !id.startsWith('plants.')
  return {
    400: [
      withQuery(id, 'x=%zz'),
      ...(body ? ['no JSON', [], ...(bodyIsOptional ? [] : [''])].map((wrong) => withBody(id, wrong)) : []),
      ...(isOfApps && method === 'POST' ? [reusedKey(id)] : []),
      ...(isPaged(result)
        ? ['limit=0', 'limit=101', 'limit=x', 'limit=', 'cursor=x', 'order=up', `cursor=c_${'0'.repeat(9)}`].map(
            (query) => withQuery(id, query),
          )
        : []),
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

function isPaged(result: z.ZodMiniType | undefined): boolean {
  return result instanceof z.ZodMiniObject && 'next_cursor' in result.shape
}

function lacking(id: string, scope: string): Way {
  // Write scopes of webhooks, deployments and payments include reading.
  const others = scopes.filter(
    (known) => known !== scope && known !== scope.replace(/^(webhooks|deployments|payments):read$/, '$1:write'),
  )
  const limit = (world: World) =>
    world.records.keys.create({ secret: 'key_limited', account: 'acct_pro', scopes: others })
  return when(id, `all scopes but ${scope}`, limit, { key: 'key_limited' })
}

/** For each object of the path one that is not there, and one that is another account's or another app's. */
function unknown(id: string, template: string): Way[] {
  const places = ('/v1' + template).split('/').flatMap((step, place) => (step.startsWith('{') ? [place] : []))
  if (places.length === 0) return []
  if (template === '/plans/{plan_id}') return [changed(id, 'no such plan', ([method]) => [method, '/v1/plans/gold'])]
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

/** An Idempotency-Key that came with another request before. */
function reusedKey(id: string): Way {
  const headers = { 'idempotency-key': 'used' }
  return changed(id, 'an Idempotency-Key of another request', async ([method, path, options], call) => {
    await call('POST', '/v1/apps', { body: { name: 'first' }, headers })
    return [method, path, { ...options, headers }]
  })
}
