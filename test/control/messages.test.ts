import { expect } from 'vitest'
import { controlled } from '../support/control.ts'

/** Calls with an invalid body, and the messages. */
const mistakes: [method: string, path: string, body: unknown, message: string][] = [
  [
    'PATCH',
    '/worlds/default/assumptions',
    { 'plants.delete.unknown': true },
    'plants.delete.unknown: expected one of "404", "400", "204", received true.',
  ],
  [
    'PUT',
    '/worlds/default',
    { assumptions: { 'plants.delete.unknown': null } },
    'assumptions.plants.delete.unknown: expected one of "404", "400", "204", received null.',
  ],
  [
    'PATCH',
    '/worlds/default/assumptions',
    { 'plants.delete.unknown': '205' },
    'Failed to set the assumption "plants.delete.unknown" to "205": it can be "404", "400", "204". Did you mean "204"?',
  ],
  ['PATCH', '/worlds/default/clock', { frozen: 'yes' }, 'frozen: expected true or false, received "yes"'],
  [
    'PATCH',
    '/worlds/default/clock',
    { advnce: '2h' },
    'there is no field "advnce". Did you mean "advance"? It takes now, advance, frozen.',
  ],
  ['PATCH', '/worlds/default/clock', [], 'expected an object, received a list'],
  [
    'PUT',
    '/worlds/default',
    { seed: 'x', pin: true },
    'seed: expected a number, received "x"; there is no field "pin". It takes seed, now, frozen, scenarios, assumptions, records.',
  ],
  ['PUT', '/worlds/default/scenarios', {}, 'active: is missing: expected a list'],
  [
    'POST',
    '/worlds/default/keys',
    { account: 7, scopes: ['plants:eat'] },
    'account: expected a string, received 7; scopes.0: expected one of apps:read, apps:write',
  ],
  ['POST', '/worlds/default/events', {}, 'type: is missing: expected a string'],
]

/** Calls of what is not there, and how the messages end. */
const absent: [method: string, path: string, end: string][] = [
  ['GET', '/helth', 'has no GET /__greenhouse/helth. Did you mean "health"?'],
  ['PUT', '/worlds/default/scenaros', 'Did you mean "scenarios"?'],
  ['GET', '/world/default/journal', 'Did you mean "worlds"?'],
  ['PUT', '/worlds/default/journal', ' The path takes GET, DELETE.'],
  ['GET', '/worlds/default/xyz', 'has no GET /__greenhouse/worlds/default/xyz.'],
  ['GET', '/worlds/defalt', 'Did you mean "default"?'],
  ['GET', '/worlds/default/webhooks/hook_b/grade', 'has no webhook "hook_b". Did you mean "hook_a"?'],
  ['POST', '/worlds/default/webhooks/x/grade', 'has no webhook "x". It has hook_a.'],
  ['DELETE', '/worlds/default/keys/fp_325ea83f053d', '/worlds/default/keys. Did you mean "fp_325ea83f053c"?'],
]

for (const [method, path, end] of absent)
  controlled(`${method} ${path} is told what is there`, async ({ control, greenhouse }) => {
    const { webhooks } = greenhouse.world().records
    const hook = { id: 'hook_a', account: 'acct_pro', app: null, url: 'http://127.0.0.1/hook', enabled: true }
    webhooks.replace([{ ...hook, events: [], secret: 'whsec_a', created_at: 0, updated_at: 0 }])
    const reply = await control(method, path)
    expect([reply.status, reply.body.error.message.slice(-end.length)]).toEqual([404, end])
  })

for (const [method, path, body, message] of mistakes)
  controlled(
    `${method} ${path} with ${JSON.stringify(body)} is told what is wrong, in plain words`,
    async ({ control }) => {
      const reply = await control(method, path, body)
      expect([reply.status, reply.body.error.code]).toEqual([400, 'invalid_request'])
      expect(reply.body.error.message.slice(0, message.length)).toBe(message)
    },
  )
