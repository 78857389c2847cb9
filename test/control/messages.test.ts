import { expect } from 'vitest'
import { testControl } from '../support/control.ts'

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
  testControl(`${method} ${path} is told what is there`, async ({ control, greenhouse }) => {
    const { webhooks } = greenhouse.world().records
    const hook = { id: 'hook_a', account: 'acct_pro', app: null, url: 'http://127.0.0.1/hook', enabled: true }
    webhooks.replace([{ ...hook, events: [], secret: 'whsec_a', created_at: 0, updated_at: 0 }])
    const reply = await control(method, path)
    expect([reply.status, reply.body.error.message.slice(-end.length)]).toEqual([404, end])
  })
