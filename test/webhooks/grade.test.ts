import { expect, test } from 'vitest'
import { testControl } from '../support/control.ts'
import { open, subscribe } from './open.ts'
import { startReceiver, verifies, type Received } from './receiver.ts'

const at = Date.parse('2026-03-01T12:00:30.000Z')
const checks = [
  'reachable',
  'answers-in-time',
  'verifies-signatures',
  'refuses-stale-timestamps',
  'idempotent',
]
/** The checks with the same result, except some. */
const all = (result: string, others: Record<string, string> = {}) => ({
  ...Object.fromEntries(checks.map((name) => [name, result])),
  ...others,
})
const results = ({ checks }: any) =>
  Object.fromEntries(checks.map(({ name, result }: any) => [name, result]))

/** Creates a webhook of acct_pro in a world with a frozen clock. */
async function prepare({ control, call }: any, url: string) {
  await control('PATCH', '/worlds/default/clock', { now: '2026-03-01T12:00:30.000Z', frozen: true })
  return (
    await call('/v1/webhooks', {
      method: 'POST',
      body: JSON.stringify({ url, events: ['plant.created'] }),
    })
  ).json()
}

testControl(
  'a receiver that verifies and knows duplicates passes, without deliveries',
  async (controlled) => {
    let secret = ''
    const done = new Set<unknown>()
    const receiver = await startReceiver((got: Received) => {
      if (!verifies(secret, got, at)) return 401
      done.add(got.headers['webhook-id'])
      return { status: 200, body: 'ok' }
    })
    const webhook = await prepare(controlled, receiver.url)
    secret = webhook.secret
    const path = `/worlds/default/webhooks/${webhook.id}/grade`
    const why = (graded: any) => graded.checks.map((check: any) => check.why)
    const { body: before } = await controlled.control('GET', path)
    expect(results(before)).toEqual(all('unknown'))
    expect(before.result).toBe('unknown')
    expect(why(before)).toEqual([
      'Nothing has been sent to it yet.',
      'It has not answered yet.',
      ...['wrong signature', 'stale timestamp'].map((what, place) => {
        const scenario = ['webhook-bad-signature', 'webhook-stale-timestamp'][place]
        return `It has not answered a request with a ${what} yet. Grade it with POST, or use the scenario ${scenario}.`
      }),
      'No event has been sent to it twice yet. Grade it with POST, or use the scenario webhook-duplicate.',
    ])
    const { status, body } = await controlled.control('POST', path)
    expect(status).toBe(200)
    expect(results(body)).toEqual(all('passed'))
    expect(body).toMatchObject({ webhook_id: webhook.id, result: 'passed' })
    expect(why(body)).toEqual([
      'It accepted valid requests.',
      expect.stringMatching(/^Its slowest answer took [\d.]+ ms of \d+ ms\.$/),
      'It answered 401 to a wrong signature.',
      'It answered 401 to a stale timestamp.',
      'It answered a duplicate like the first event.',
    ])
    expect(receiver.received).toHaveLength(4)
    expect(receiver.received[0]!.body).toContain('This is an examination.')
    expect(done.size).toBe(1)
    expect((await controlled.control('GET', path)).body).toEqual(body)
    expect(why((await controlled.control('POST', path)).body)).toContain(
      'It answered 2 duplicates like the first event.',
    )
    expect(controlled.greenhouse.world().records.deliveries.find({ webhook: webhook.id })).toEqual(
      [],
    )
    // Later it refuses a valid request: it accepted others.
    secret = 'whsec_b3RoZXI='
    await controlled.call('/plants', { method: 'POST', body: '{"id":9001,"name":"Fern"}' })
    await controlled.greenhouse.world().settled()
    expect(results((await controlled.control('GET', path)).body)).toEqual(all('passed'))
  },
)

testControl(
  'a receiver that takes everything, and refuses what it knows already, fails',
  async (controlled) => {
    const seen = new Set<unknown>()
    const receiver = await startReceiver(({ headers }) => {
      const id = headers['webhook-id']
      if (seen.has(id)) return 409
      seen.add(id)
      return 200
    })
    const webhook = await prepare(controlled, receiver.url)
    const { body } = await controlled.control(
      'POST',
      `/worlds/default/webhooks/${webhook.id}/grade`,
    )
    expect(results(body)).toEqual(
      all('failed', { reachable: 'passed', 'answers-in-time': 'passed' }),
    )
    expect(body.result).toBe('failed')
    const other = await prepare(controlled, 'http://127.0.0.1:9/')
    const unexamined = await controlled.control('GET', `/worlds/default/webhooks/${other.id}/grade`)
    expect(results(unexamined.body)).toEqual(all('unknown'))
    await controlled.control('POST', `/worlds/default/webhooks/${other.id}/grade`)
    expect(
      (await controlled.control('GET', `/worlds/default/webhooks/${webhook.id}/grade`)).body,
    ).toEqual(body)
    const why = 'expected a refusal, such as 400 or 401.'
    expect(body.checks.slice(2).map((check: any) => check.why)).toEqual([
      `It answered 200 to a wrong signature: ${why}`,
      `It answered 200 to a stale timestamp: ${why}`,
      'It answered 200 to an event and 409 to its duplicate: expected the same.',
    ])
  },
)

testControl(
  'a receiver that refuses everything shows nothing of its signatures',
  async (controlled) => {
    const receiver = await startReceiver((_, place) => (place < 4 ? 401 : 403))
    const webhook = await prepare(controlled, receiver.url)
    const { body } = await controlled.control(
      'POST',
      `/worlds/default/webhooks/${webhook.id}/grade`,
    )
    expect(results(body)).toMatchObject({
      reachable: 'failed',
      'verifies-signatures': 'unknown',
      idempotent: 'unknown',
    })
    expect(body.checks[2].why).toMatch(/^It refused a wrong signature, but it refused valid /)
    await controlled.control('PATCH', '/worlds/default/clock', { advance: '1s' })
    await controlled.call('/plants', { method: 'POST', body: '{"id":9001,"name":"Fern"}' })
    await controlled.greenhouse.world().settled()
    const { body: later } = await controlled.control(
      'GET',
      `/worlds/default/webhooks/${webhook.id}/grade`,
    )
    expect(later.checks[0].why).toBe('It accepted no request; the last answer was 403.')
  },
)

testControl('what answers cannot show is unknown, with the reason', async (controlled) => {
  const receiver = await startReceiver((_, place) => ({ status: 200, body: String(place) }))
  const webhook = await prepare(controlled, receiver.url)
  controlled.world.assume('webhooks.signature', 'none')
  const { body } = await controlled.control('POST', `/worlds/default/webhooks/${webhook.id}/grade`)
  const why = (name: string) => body.checks.find((check: any) => check.name === name).why
  expect(results(body)).toMatchObject({ 'verifies-signatures': 'unknown', idempotent: 'unknown' })
  expect(why('verifies-signatures')).toMatch(/^Deliveries are not signed: /)
  expect(why('idempotent')).toMatch(/^It answered an event and its duplicate with 200, but /)
})

testControl('what scenarios showed counts without an examination', async (controlled) => {
  const { control, call } = controlled
  let secret = ''
  const receiver = await startReceiver((got) =>
    verifies(secret, got, Number(got.headers['webhook-timestamp']) * 1_000) ? 200 : 401,
  )
  const webhook = await prepare(controlled, receiver.url)
  secret = webhook.secret
  await control('PUT', '/worlds/default/scenarios', {
    active: ['webhook-bad-signature', 'webhook-duplicate'],
  })
  await call('/plants', { method: 'POST', body: '{"id":9001,"name":"Fern"}' })
  await control('PATCH', '/worlds/default/clock', { advance: '1m' })
  const { body } = await control('GET', `/worlds/default/webhooks/${webhook.id}/grade`)
  expect(results(body)).toMatchObject({
    reachable: 'passed',
    'verifies-signatures': 'passed',
    'refuses-stale-timestamps': 'unknown',
    idempotent: 'passed',
  })
})

testControl('a receiver that takes too long fails', async (controlled) => {
  const receiver = await startReceiver(() => 'never')
  const webhook = await prepare(controlled, receiver.url)
  await controlled.control('PATCH', '/worlds/default/assumptions', { 'webhooks.timeout': '1s' })
  const { body } = await controlled.control('POST', `/worlds/default/webhooks/${webhook.id}/grade`)
  expect(results(body)).toMatchObject({ reachable: 'failed', 'answers-in-time': 'failed' })
  expect(body.checks[1].why).toMatch(/^It took longer than 1 s (\d+) of \1 times\.$/)
})

testControl(
  'of a receiver that nobody runs it is not known whether it answers in time',
  async ({ control, call }) => {
    const body = JSON.stringify({ url: 'http://127.0.0.1:9/', events: ['plant.created'] })
    const webhook = (await (await call('/v1/webhooks', { method: 'POST', body })).json()) as {
      id: string
    }
    const { checks } = (await control('POST', `/worlds/default/webhooks/${webhook.id}/grade`)).body
    expect(checks).toMatchObject([
      {
        name: 'reachable',
        result: 'failed',
        why: expect.stringMatching(/^It never answered; the last error: ./),
      },
      { name: 'answers-in-time', result: 'unknown', why: 'It has not answered yet.' },
      { name: 'verifies-signatures', result: 'unknown' },
      { name: 'refuses-stale-timestamps', result: 'unknown' },
      { name: 'idempotent', result: 'unknown' },
    ])
  },
)

/** An attempt of a delivery, as a world keeps it. */
const attempt = (status: number | null, more: object = {}) => ({
  at,
  status,
  error: status === null ? 'It hung up.' : null,
  latency: 1,
  response: null,
  ...more,
})

/** Grades what a log says: for each event, its attempts. */
const logs: [what: string, log: object[][], expected: object[]][] = [
  [
    'the slowest answer counts',
    [[attempt(200, { latency: 20 }), attempt(500, { latency: 30 }), attempt(200)]],
    [{}, { why: 'Its slowest answer took 30 ms of 15000 ms.' }],
  ],
  [
    'what a scenario spoiled is no valid request',
    [[attempt(200, { fault: 'bad-signature' }), attempt(400)]],
    [
      { result: 'failed', why: 'It accepted no request; the last answer was 400.' },
      { result: 'passed' },
      { result: 'failed' },
    ],
  ],
  [
    'what was not answered shows nothing',
    [[attempt(200), attempt(null), attempt(null, { fault: 'bad-signature' })]],
    [
      { result: 'passed' },
      { result: 'passed' },
      { result: 'unknown' },
      { result: 'unknown' },
      { result: 'unknown', why: expect.stringMatching(/^No event has been sent to it twice yet/) },
    ],
  ],
  [
    'several duplicates are counted',
    [[attempt(200), attempt(200), attempt(200)]],
    [{}, {}, {}, {}, { why: 'It answered 2 duplicates like the first event.' }],
  ],
]

test.each(logs)('in a grade %s', async (_, log, expected) => {
  const client = open()
  const { id } = await subscribe(client, 'http://127.0.0.1:9/')
  for (const [place, attempts] of log.entries())
    client.world.records.deliveries.create({
      id: `del_${place}`,
      account: 'acct_pro',
      webhook: id,
      event: `evt_${place}`,
      type: 'plant.created',
      payload: '{}',
      status: 'succeeded',
      attempts: attempts as never,
      tries: 1,
      next_attempt_at: null,
      created_at: at,
    })
  const { checks } = client.world.grade(id)
  expect(checks.slice(0, expected.length)).toMatchObject(expected)
})

test('a grade forgets all but the last 100 requests of examinations', async () => {
  const client = open()
  const { id } = await subscribe(client, 'http://127.0.0.1:9/')
  let sent = 0
  client.greenhouse.deliverThrough({
    send: async () => ({ status: 200, body: '', latency: sent++ === 0 ? 9_000 : 1 }),
  })
  const slowest = async () => (await client.world.examine(id)).checks[1]!.why
  for (let round = 0; round < 25; round++)
    expect(await slowest()).toBe('Its slowest answer took 9000 ms of 15000 ms.')
  expect(await slowest()).toBe('Its slowest answer took 1 ms of 15000 ms.')
})
