import { join } from 'node:path'
import {
  fetchOnce,
  ownFixtures,
  startGreenhouse,
  toKeyRequest,
  writeManyKeys,
} from './greenhouse.mjs'

/** The list that is asked for. */
export const path = '/plants?limit=20'

const keys = 3_000

/**
 * Greenhouse on the bench's own world, whose list of 20 plants is asked for. @param headers more of
 * the request's
 */
export async function startPlain(dist, { headers, options = [] } = {}) {
  const server = await startGreenhouse(dist, '--fixtures', ownFixtures, ...options)
  const requests = [toKeyRequest('GET', path, 'key_pro_plus', undefined, headers)]
  const reply = await fetchOnce(server.port, requests[0])
  // A scenario may show one twice.
  if (JSON.parse(reply.body).length < 20) throw new Error(`Expected 20 plants, not ${reply.body}`)
  return { ...server, requests, reply }
}

/**
 * The same with quotas on, and 3,000 keys that take turns, since one budget is 600 requests a
 * minute.
 */
export async function startWithQuota(context, expected) {
  const folder = join(context.folder, 'many-keys')
  const secrets = writeManyKeys(folder, keys, JSON.parse(expected.body))
  const assumptions = ['plants.rate-limits=on', 'rate-limit.scope=key'].flatMap((choice) => [
    '--assume',
    choice,
  ])
  const server = await startGreenhouse(context.dist, '--fixtures', folder, ...assumptions)
  const requests = secrets.map((key) => toKeyRequest('GET', path, key))
  const reply = await fetchOnce(server.port, requests[0])
  if (reply.body !== expected.body) throw new Error(`other plants came back: ${reply.body}`)
  if (!reply.headers.some(([name]) => name.toLowerCase() === 'x-ratelimit-limit'))
    throw new Error('the reply has no X-RateLimit-Limit')
  return { ...server, requests, reply }
}
