import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { startReceiver, verifies } from './receiver.ts'

testApi(
  'a delivery has the Standard Webhooks headers, and an independent verifier accepts it',
  {},
  async ({ call, world }) => {
    const receiver = await startReceiver()
    const { status, body: webhook } = await call('POST', '/v1/webhooks', {
      body: { url: receiver.url, events: ['plant.created'] },
    })
    expect(status).toBe(201)
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    await call('POST', '/plants', { body: { id: 9_001, name: 'Fern', tag: 'ü' } })
    await world.settled()
    expect(receiver.received).toHaveLength(1)
    const [got] = receiver.received
    expect(got).toMatchObject({ method: 'POST', path: '/hook' })
    expect(got!.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^evt_[a-z2-7]{16}$/),
      'webhook-timestamp': String((Date.parse(start) / 1_000) | 0),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      'user-agent': expect.stringContaining('Greenhouse'),
    })
    expect(got!.headers.authorization).toBeUndefined()
    expect(JSON.parse(got!.body)).toEqual({
      type: 'plant.created',
      timestamp: start,
      data: { id: 9_001, name: 'Fern', tag: 'ü' },
    })
    const now = Date.parse(start)
    expect(verifies(webhook.secret, got!, now)).toBe(true)
    expect(verifies(webhook.secret, { ...got!, body: got!.body + ' ' }, now)).toBe(false)
    expect(verifies('whsec_' + btoa('another'), got!, now)).toBe(false)
    expect(new Webhook(webhook.secret).sign(String(got!.headers['webhook-id']), new Date(start), got!.body)).toBe(
      got!.headers['webhook-signature'],
    )
  },
)

testApi('without signatures a delivery still has its event id and its time', {}, async ({ call, world }) => {
  const receiver = await startReceiver()
  world.assume('webhooks.signature', 'none')
  await call('POST', '/v1/webhooks', { body: { url: receiver.url, events: ['plant.created'] } })
  await call('POST', '/plants', { body: { id: 9_001, name: 'Fern' } })
  await world.settled()
  expect(receiver.received[0]!.headers).toMatchObject({
    'webhook-id': expect.any(String),
    'webhook-timestamp': expect.any(String),
  })
  expect(receiver.received[0]!.headers).not.toHaveProperty('webhook-signature')
})
