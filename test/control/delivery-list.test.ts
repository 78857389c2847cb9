import { expect } from 'vitest'
import { startReceiver, verifies } from '../webhooks/receiver.ts'
import {
  testControl,
  expectControlError,
  expectInvalid,
  type Controlled,
} from '../support/control.ts'

const path = '/worlds/default/deliveries'
const secret = 'whsec_c2VjcmV0LW9mLWEtdGVzdA=='

/** Adds a webhook and triggers an event of it; returns the id of its delivery. */
async function deliver({ control }: Pick<Controlled, 'control'>, url: string): Promise<string> {
  const hook = {
    id: 'wh_1',
    account: 'acct_free',
    app: null,
    url,
    events: ['webhook.test'],
    enabled: true,
    secret,
  }
  await control('POST', '/worlds/default/records/webhooks', { ...hook, created_at: '1d ago' })
  const { body } = await control('POST', '/worlds/default/events', {
    type: 'webhook.test',
    account: 'acct_free',
  })
  return body.data[0].id
}

testControl(
  'deliveries come newest first, filtered by webhook, type and status',
  async ({ control, world }) => {
    const stored = world.records.deliveries.all().toReversed()
    const ids = async (query: string) =>
      (await control('GET', `${path}${query}`)).body.data.map(({ id }: { id: string }) => id)
    const idsOf = (matches: (delivery: (typeof stored)[number]) => boolean) =>
      stored.filter(matches).map(({ id }) => id)
    expect(await ids('')).toEqual(idsOf(() => true))
    expect(await ids('?limit=2')).toEqual(idsOf(() => true).slice(0, 2))
    expect(await ids('?status=pending&type=message.sent')).toEqual(
      idsOf(({ status, type }) => status === 'pending' && type === 'message.sent'),
    )
    expect(await ids('?webhook=wh_m4t7qzc2xk5wr3nd')).toEqual(
      idsOf(({ webhook }) => webhook === 'wh_m4t7qzc2xk5wr3nd'),
    )
    const unknown = await control('GET', `${path}?webhook=wh_m4t7qzc2xk5wr3nx`)
    expectControlError(unknown, 404, 'unknown_webhook', /Did you mean/)
    await expectInvalid(control('GET', `${path}?status=peding`), /Did you mean "pending"\?/)
    await expectInvalid(control('GET', `${path}?type=app.creatd`), /Did you mean "app\.created"\?/)
    expectControlError(await control('GET', `${path}/del_x`), 404, 'unknown_delivery')
  },
)

testControl(
  'an attempt shows what was sent, so its signature can be verified',
  async ({ control, world }) => {
    const receiver = await startReceiver((_, place) =>
      place === 0 ? { status: 503, body: 'busy' } : 204,
    )
    world.clock.freeze()
    const id = await deliver({ control }, receiver.url + '?token=abcdefgh123456')
    await control('PATCH', '/worlds/default/clock', { advance: '5s' })
    const { body, text } = await control('GET', `${path}/${id}`)
    expect(text).not.toContain('abcdefgh123456')
    expect(body).toMatchObject({
      id,
      account: 'acct_free',
      webhook: 'wh_1',
      url: expect.stringMatching(/\/hook\?token=fp_/),
      status: 'succeeded',
      next_attempt_at: null,
      attempts: [
        { status: 503, response: 'busy', fault: null },
        { status: 204, error: null, next_attempt_at: null },
      ],
    })
    expect(body.attempts[0].next_attempt_at).toBe(body.attempts[1].at)
    for (const [place, { headers }] of body.attempts.entries()) {
      const got = receiver.received[place]!
      for (const [name, value] of Object.entries(headers))
        expect([name, got.headers[name.toLowerCase()]]).toEqual([name, value])
      expect(verifies(secret, got, world.clock.now())).toBe(true)
      expect(JSON.parse(got.body)).toEqual(body.payload)
    }
  },
)

testControl(
  'a delivery is sent again, and the answer has the attempt',
  async ({ control, world }) => {
    const receiver = await startReceiver()
    world.clock.freeze()
    const id = await deliver({ control }, receiver.url)
    const again = await control('POST', `${path}/${id}/redeliver`)
    const attempts = [{ status: 200 }, { status: 200 }]
    expect(again).toMatchObject({ status: 200, body: { id, status: 'succeeded', attempts } })
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    await control('PATCH', '/worlds/default/records/webhooks/wh_1', { enabled: false })
    await expectInvalid(
      control('POST', `${path}/${id}/redeliver`),
      /The webhook wh_1 is disabled\. Enable it first/,
    )
    expectControlError(await control('POST', `${path}/del_x/redeliver`), 404, 'unknown_delivery')
    expect(receiver.received).toHaveLength(2)
  },
)

testControl(
  'a payload is shown as JSON; as text, if that is none or too deep',
  async ({ control, world }) => {
    const { id } = world.records.deliveries.all()[0]!
    for (const [payload, shown] of [
      ['null', null],
      ['{"id": 7', '{"id": 7'],
      ['['.repeat(20_000), '['.repeat(20_000)],
    ] as const) {
      world.records.deliveries.update(id, { payload })
      expect((await control('GET', `${path}/${id}`)).body.payload).toBe(shown)
      expect((await control('GET', path)).status).toBe(200)
    }
  },
)
