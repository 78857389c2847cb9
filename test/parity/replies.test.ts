import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { adapters, type Adapter } from '../support/adapters.ts'
import { start } from '../support/through.ts'

const json = { 'content-type': 'application/json' }
const pro = { authorization: 'Bearer key_pro' }

/** An app of acct_pro that people talk to, and a conversation of it that goes on. */
const talkative = 'app_w33c4cwmhfyfktiv'
const open = createGreenhouse()
  .world()
  .records.conversations.all()
  .find(({ app, ended_at }) => app === talkative && ended_at === undefined)!.id

/** One client's history: successes, every kind of error, scenarios, worlds, and the same requests again where state decides. */
const history: [path: string, init?: RequestInit][] = [
  ['/plants', { headers: pro }],
  ['/plants?limit=2', { headers: pro }],
  ['/plants?limit=-1', { headers: pro }],
  ['/plants?limit=%zz', { headers: pro }],
  ['/plants'],
  ['/plants', { headers: { authorization: 'Basic abc' } }],
  ['/plants', { method: 'HEAD', headers: pro }],
  ['/plants', { method: 'PUT', headers: pro }],
  ['/plants', { method: 'OPTIONS', headers: pro }],
  ['/plants/', { headers: pro }],
  [
    '/plants',
    {
      method: 'POST',
      headers: { ...pro, ...json },
      body: '{"id":9223372036854775807,"name":"Fi\u00e7us \u{1F331}","tag":"tree"}',
    },
  ],
  ['/plants', { method: 'POST', headers: { ...pro, ...json }, body: '{"id":9223372036854775807,"name":"again"}' }],
  ['/plants', { method: 'POST', headers: { ...pro, ...json }, body: '{"id":9223372036854775808,"name":"too large"}' }],
  ['/plants', { method: 'POST', headers: { ...pro, ...json }, body: '{"id":' }],
  ['/plants', { method: 'POST', headers: { ...pro, ...json } }],
  ['/plants', { method: 'POST', headers: pro, body: new Uint8Array([123, 255, 125]) }],
  ['/plants', { method: 'POST', headers: { ...pro, ...json, 'content-encoding': 'br' }, body: '{}' }],
  ['/plants', { method: 'POST', headers: { ...pro, ...json }, body: `"${'x'.repeat(2 ** 20)}"` }],
  ['/plants', { headers: pro }],
  ['/plants/9223372036854775807', { method: 'DELETE', headers: pro }],
  ['/plants/9223372036854775807', { method: 'DELETE', headers: pro }],
  ['/plants/one', { method: 'DELETE', headers: pro }],
  ['/plants/%zz', { method: 'DELETE', headers: pro }],
  ['/plants/1', { method: 'DELETE', headers: pro }],
  ['/v1/apps?limit=2', { headers: pro }],
  ['/v1/apps?limit=2&cursor=c_5', { headers: pro }],
  ['/v1/apps?cursor=nonsense', { headers: pro }],
  ['/v1/apps', { method: 'POST', headers: { ...pro, ...json }, body: '{"name":"one","description":"\u00fcber"}' }],
  ['/v1/apps', { method: 'POST', headers: { ...pro, ...json, 'idempotency-key': 'k' }, body: '{"name":"two"}' }],
  ['/v1/apps', { method: 'POST', headers: { ...pro, ...json, 'idempotency-key': 'k' }, body: '{"name":"two"}' }],
  ['/v1/apps', { method: 'POST', headers: { ...pro, ...json, 'idempotency-key': 'k' }, body: '{"name":"three"}' }],
  ['/v1/apps', { method: 'POST', headers: { authorization: 'Bearer key_readonly', ...json }, body: '{"name":"no"}' }],
  ['/v1/apps/app_nope', { headers: pro }],
  ['/v1/apps', { headers: { authorization: 'Bearer key_expired' } }],
  ['/v1/apps', { headers: { authorization: 'Bearer key_revoked' } }],
  ['/v1/apps', { headers: { authorization: 'Bearer nonsense' } }],
  ['/v1/apps'],
  ['/v1'],
  ['/v1/nowhere', { headers: pro }],
  ['/v1/apps', { method: 'DELETE', headers: pro }],
  ['/v1/apps', { headers: { ...pro, origin: 'http://localhost:5173' } }],
  ['/v1/apps', { headers: { ...pro, origin: 'https://elsewhere.example' } }],
  ['/v1/apps', { headers: { ...pro, 'x-greenhouse-scenario': 'rate-limited-plan' } }],
  ['/v1/apps', { headers: { ...pro, 'x-greenhouse-scenario': 'server-error' } }],
  ['/v1/apps', { headers: { ...pro, 'x-greenhouse-scenario': 'expired-keys' } }],
  [
    '/plants',
    { headers: { ...pro, 'x-greenhouse-scenario': 'malformed-plant:field=tag;kind=null, server-error:on=apps.*' } },
  ],
  ['/plants?limit=1', { headers: { authorization: 'Bearer key_pro@elsewhere' } }],
  ['/~elsewhere/v1/apps?limit=1', { headers: pro }],
  ['/v1/apps?limit=1', { headers: { ...pro, 'x-greenhouse-world': 'not a name' } }],
  [`/v1/apps/${talkative}/users?limit=2`, { headers: pro }],
  [`/v1/apps/${talkative}/conversations?limit=2`, { headers: pro }],
  [`/v1/apps/${talkative}/conversations`, { method: 'POST', headers: pro }],
  [
    `/v1/apps/${talkative}/conversations`,
    { method: 'POST', headers: { ...pro, ...json }, body: '{"user":{"email":"ada@example.com"}}' },
  ],
  [
    `/v1/apps/${talkative}/conversations/${open}/messages`,
    { method: 'POST', headers: { ...pro, ...json }, body: '{"content":"W\u00e4chst er?"}' },
  ],
  [
    `/v1/apps/${talkative}/conversations/${open}/messages`,
    {
      method: 'POST',
      headers: { ...pro, ...json, 'idempotency-key': 's' },
      body: '{"content":"And now?","stream":true}',
    },
  ],
  [
    `/v1/apps/${talkative}/conversations/${open}/messages`,
    {
      method: 'POST',
      headers: { ...pro, ...json, 'idempotency-key': 's' },
      body: '{"content":"And now?","stream":true}',
    },
  ],
  [`/v1/apps/${talkative}/conversations/${open}/messages?limit=3`, { headers: pro }],
  [`/v1/apps/${talkative}/conversations/${open}/end`, { method: 'POST', headers: pro }],
  [`/v1/apps/${talkative}/usage?interval=month`, { headers: pro }],
  [`/v1/apps/${talkative}/usage?interval=week`, { headers: pro }],
  [
    `/v1/apps/${talkative}/deployments`,
    { method: 'POST', headers: { ...pro, ...json }, body: '{"domain":"chat.ada.example"}' },
  ],
  [`/v1/apps/${talkative}/deployments`, { headers: pro }],
  [
    '/v1/webhooks',
    {
      method: 'POST',
      headers: { ...pro, ...json },
      body: '{"url":"http://127.0.0.1:9/hook","events":["webhook.test"]}',
    },
  ],
  ['/v1/webhooks', { headers: pro }],
  ['/v1/plans', { headers: pro }],
  ['/v1/account', { headers: { authorization: 'Bearer key_readonly' } }],
  ['/v1/credits', { headers: pro }],
  [
    '/v1/credits/purchases',
    { method: 'POST', headers: { ...pro, ...json }, body: '{"amount":100,"payment_method":"pm_ok"}' },
  ],
  [
    '/v1/credits/purchases',
    { method: 'POST', headers: { ...pro, ...json }, body: '{"amount":100,"payment_method":"pm_declined"}' },
  ],
  ['/v1/subscription', { method: 'PUT', headers: { ...pro, ...json }, body: '{"plan":"pro_plus"}' }],
  ['/v1/subscription', { method: 'DELETE', headers: pro }],
  ['/v1/subscription', { headers: pro }],
  [`/v1/apps/${talkative}`, { method: 'DELETE', headers: pro }],
  [`/v1/apps/${talkative}/users`, { headers: pro }],
  ...Array.from({ length: 61 }, (): [string, RequestInit] => [
    '/v1/apps?limit=1',
    { headers: { authorization: 'Bearer key_free' } },
  ]),
]

/** What a host may add of its own. */
const ofTheHost = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

test('every adapter gives the same status, headers and bytes for the same history', async () => {
  const [core, ...others] = adapters
  const reference = await transcribe(core!)
  expect(reference).toHaveLength(history.length)
  for (const adapter of others)
    for (const [line, reply] of (await transcribe(adapter)).entries())
      expect(reply, `${adapter.name}: ${JSON.stringify(history[line])}`).toEqual(reference[line])
})

async function transcribe(adapter: Adapter) {
  // Named, since over a socket the pages of an origin that is not are turned away; within a process no origin is.
  const greenhouse = createGreenhouse({ now: start, cors: ['https://elsewhere.example'] })
  for (const world of ['default', 'elsewhere']) {
    greenhouse.world(world).clock.freeze()
    greenhouse.world(world).clock.set(start)
  }
  const { send, close } = await adapter.open(greenhouse)
  const transcript = []
  for (const [path, init] of history) {
    const response = await send(path, init)
    const headers = [...response.headers].filter(([name]) => !ofTheHost.has(name)).sort()
    transcript.push({
      status: response.status,
      headers,
      bytes: Buffer.from(await response.arrayBuffer()).toString('latin1'),
    })
  }
  await close()
  return transcript
}
