import { expect } from 'vitest'
import { testControl, expectControlError, stateOf } from '../support/control.ts'

const deliveries: Record<string, Record<string, string>> = {
  'its id': { 'webhook-id': 'evt_1' },
  'an empty id': { 'webhook-id': '' },
  'its user agent': { 'user-agent': 'Greenhouse-Webhooks/1' },
  'the user agent of another version': { 'user-agent': 'greenhouse-webhooks/27 (x)' },
  'both, and what else a delivery has': {
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1772366430',
    'webhook-signature': 'v1,x',
    'user-agent': 'Greenhouse-Webhooks/1',
  },
}

for (const [mark, headers] of Object.entries(deliveries))
  testControl(
    `the control API refuses what is told by ${mark} to be a webhook's delivery, and nothing happens`,
    async ({ greenhouse, control }) => {
      greenhouse.world().use('expired-key')
      const before = stateOf(greenhouse)
      for (const [method, path, body] of [
        ['POST', '/worlds/default/reset'],
        ['POST', '/worlds/default/events', { type: 'app.created' }],
        ['PUT', '/worlds/other', {}],
        ['GET', '/health'],
      ] as const)
        expectControlError(await control(method, path, body, headers), 403, 'forbidden', /webhooks/)
      expect(stateOf(greenhouse)).toEqual(before)
    },
  )
