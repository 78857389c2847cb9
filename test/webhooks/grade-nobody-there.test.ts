import { expect } from 'vitest'
import { testControl } from '../support/control.ts'

testControl('of a receiver that nobody runs it is not known whether it answers in time', async ({ control, call }) => {
  const body = JSON.stringify({ url: 'http://127.0.0.1:9/', events: ['plant.created'] })
  const webhook = (await (await call('/v1/webhooks', { method: 'POST', body })).json()) as { id: string }
  const { checks } = (await control('POST', `/worlds/default/webhooks/${webhook.id}/grade`)).body
  expect(checks).toMatchObject([
    { name: 'reachable', result: 'failed', why: expect.stringMatching(/^It never answered; the last error: ./) },
    { name: 'answers-in-time', result: 'unknown', why: 'It has not answered yet.' },
    { name: 'verifies-signatures', result: 'unknown' },
    { name: 'refuses-stale-timestamps', result: 'unknown' },
    { name: 'idempotent', result: 'unknown' },
  ])
})
