import { expect, test } from 'vitest'
import { eventTypes } from '../../src/areas/event-types.ts'
import { testControl, expectControlError } from '../support/control.ts'
import { startReceiver } from './receiver.ts'
import { open } from './open.ts'

test('every event can be triggered without data, and its payload is not empty', async () => {
  const client = open()
  const receiver = await startReceiver()
  const { body: webhook } = await client.call('POST', '/v1/webhooks', { body: { url: receiver.url } })
  for (const type of eventTypes) {
    const made = await client.world.trigger(type, undefined, { account: 'acct_pro' })
    expect(
      made.filter(({ webhook_id }) => webhook_id === webhook.id),
      type,
    ).toHaveLength(1)
    await client.world.settled()
    const told = JSON.parse(receiver.received.at(-1)!.body)
    expect(told.type).toBe(type)
    expect(Object.keys(told.data).length).toBeGreaterThan(0)
  }
})

test('what there is not can not be triggered', async () => {
  const { world } = open()
  await expect(world.trigger('plant.create' as never)).rejects.toThrow(/no such event.*plant\.created/)
  await expect(world.trigger('plant.created', {}, { account: 'acct_none' })).rejects.toThrow(/no account/)
  await expect(world.trigger('app.created', {}, { app: 'app_none' })).rejects.toThrow(/no app/)
})

testControl('over HTTP an event answers with the deliveries that were made', async ({ control, call }) => {
  const receiver = await startReceiver()
  await call('/v1/webhooks', { method: 'POST', body: JSON.stringify({ url: receiver.url, events: ['plant.created'] }) })
  const { status, body } = await control('POST', '/worlds/default/events', { type: 'plant.created', data: { id: 5 } })
  expect(status).toBe(200)
  expect(body.data).toMatchObject([
    { status: 'succeeded', url: receiver.url, payload: { data: { id: 5 } }, attempts: [{ status: 200 }] },
  ])
  expectControlError(await control('POST', '/worlds/default/events', { type: 'nope' }), 400, 'invalid_request')
})
