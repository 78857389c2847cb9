import { expect } from 'vitest'
import type { Greenhouse } from 'greenhouse-mock'
import type { RawReply } from '../support/socket.ts'

/**
 * Asserts that a reply rejects a request in its area's error shape, with a message that says what
 * to do.
 */
export function expectTurnedAway(
  { status, headers, text }: RawReply,
  path: string,
  message: RegExp,
): void {
  const seen = {
    status,
    type: headers['content-type'],
    world: headers['x-greenhouse'],
    granted: headers['access-control-allow-origin'],
  }
  expect(seen, path).toEqual({
    status: 403,
    type: 'application/json',
    world: undefined,
    granted: undefined,
  })
  const isApps = /^(\/~[^/]+)?\/v1(\/|\?|$)/.test(path)
  if (isApps) expect(headers['x-request-id']).toMatch(/^req_[a-z2-7]{16}$/)
  const explained = { message: expect.stringMatching(message) }
  const ofApps = {
    ...explained,
    code: 'insufficient_permissions',
    request_id: headers['x-request-id'],
  }
  expect(JSON.parse(text), path).toEqual(isApps ? { error: ofApps } : { ...explained, error: 403 })
}

/**
 * Everything that a request could have changed: worlds in order of use, their requests, and the
 * next random values.
 */
export function traceOf(greenhouse: Greenhouse): unknown {
  return greenhouse.worlds().map((name) => {
    const { journal, records, clock } = greenhouse.world(name)
    return {
      name,
      entries: journal.size,
      plants: records.plants.all().length,
      webhooks: records.webhooks.all().length,
      frozen: clock.frozen,
    }
  })
}
