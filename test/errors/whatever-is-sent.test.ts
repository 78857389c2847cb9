import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { times } from '../support/soak.ts'

const fields = [
  [
    'name',
    'id',
    'tag',
    'display_name',
    'url',
    'events',
    'app_id',
    'enabled',
    'content',
    'stream',
    'user',
  ],
  [
    'user_id',
    'email',
    'platform',
    'domain',
    'branding',
    'primary_color',
    'logo_url',
    'hide_powered_by',
    'plan',
  ],
  ['amount', 'payment_method', '__proto__', 'constructor'],
].flat()

/** Values of a field: anything, and nearly valid ones. */
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(
    'pro',
    'pm_ok',
    'pm_declined',
    'http://127.0.0.1:1/x',
    'http://[::1',
    'chat.example.com',
    'xn--',
    '#ffffff',
    'app.created',
    '1e999',
  ),
  fc.array(fc.constantFrom('app.created', '*', 1, null)),
  fc.dictionary(fc.constantFrom(...fields), fc.oneof(fc.string(), fc.constant(null), fc.integer())),
)

test('no request makes an operation answer with an internal error', async () => {
  const complaints = vi.spyOn(console, 'error')
  const greenhouse = createGreenhouse({
    now: '2026-03-01T12:00:00Z',
    assumptions: { 'webhooks.retries': 'none', 'payments.settle': 'instant' },
  })
  const world = greenhouse.world()
  world.clock.freeze()
  const app = world.records.apps.all().find(({ account }) => account === 'acct_pro')!.id
  const conversation = world.records.conversations
    .all()
    .find((one) => one.app === app && one.ended_at === undefined)!.id
  const webhook = world.records.webhooks.all()[0]!.id

  const sending = fc.asyncProperty(
    fc.constantFrom(...greenhouse.operations()),
    fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 6 }),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.boolean(),
    async (operation, body, junk, isReal) => {
      const odd = encodeURIComponent(junk) || 'x'
      const path = operation.path
        .replace('{app_id}', isReal ? app : odd)
        .replace('{conversation_id}', conversation)
        .replace('{webhook_id}', webhook)
        .replace(/\{\w+\}/g, odd)
      const query = isReal ? '' : `?limit=${odd}&from=${odd}&cursor=${odd}`
      const reply = await greenhouse.fetch(
        new Request(`http://any${path}${query}`, {
          method: operation.method,
          headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
          ...(operation.method !== 'GET' && { body: JSON.stringify(body) }),
        }),
      )
      const text = await reply.text()
      expect(reply.status, `${operation.id} ${JSON.stringify(body)} ${text}`).toBeLessThan(500)
      if (reply.headers.get('content-type') === 'application/json') JSON.parse(text)
      world.clock.advance('250ms')
    },
  )
  await fc.assert(sending, { numRuns: times(3_000, 150), seed: 1 })
  await world.settled()
  expect(complaints.mock.calls).toEqual([])
  complaints.mockRestore()
})
