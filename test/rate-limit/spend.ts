import { expect } from 'vitest'
import type { Answer, Client } from '../support/test-api.ts'

/** Returns the values of the three headers. */
export function rate({ headers }: Pick<Answer, 'headers'>) {
  const of = (name: string) => headers.get(`x-ratelimit-${name}`)
  return { limit: of('limit'), remaining: of('remaining'), reset: of('reset') }
}

/** What a client sees of a limit: the status and the three headers. */
export function seen(answer: Pick<Answer, 'headers' | 'status'>) {
  const { limit, remaining, reset } = rate(answer)
  return [answer.status, limit, remaining, reset]
}

/** Lists apps. */
export function list({ call }: Pick<Client, 'call'>, key: string | null = 'key_free'): Promise<Answer> {
  return call('GET', '/v1/apps', { key })
}

/** Asks for no operation, which spends nothing. */
export function look({ call }: Pick<Client, 'call'>): Promise<Answer> {
  return call('GET', '/v1/unknown', { key: 'key_free' })
}

/** Sends so many requests that are all within the limit, without a detour through the adapter. */
export async function spend({ direct }: Pick<Client, 'direct'>, count: number, key = 'key_free'): Promise<void> {
  const statuses = new Set<number>()
  for (let sent = 0; sent < count; sent++) {
    const { status } = await direct('/v1/apps?limit=1', { headers: { authorization: `Bearer ${key}` } })
    statuses.add(status)
  }
  if (count > 0) expect([...statuses]).toEqual([200])
}

/** The choices of `rate-limit.window`. */
export const windows = ['calendar', 'first-request', 'sliding'] as const

/** In milliseconds since 1970, seen from `start` in the middle of the minute. */
export const minuteEnd = Date.parse('2026-03-01T12:01:00.000Z')
export const dayEnd = Date.parse('2026-03-02T00:00:00.000Z')
