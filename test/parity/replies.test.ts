import { gzipSync } from 'node:zlib'
import { createGreenhouse } from 'greenhouse-mock'
import { expect, test } from 'vitest'
import { adapters, type Adapter } from '../support/adapters.ts'
import { type Asked, ask, keptBy, openAlike } from './transcript.ts'

const json = { 'content-type': 'application/json' }
const pro = { authorization: 'Bearer key_pro' }

type Extra = Record<string, string>
const get = (path: string, extra: Extra): Asked => [path, { headers: { ...pro, ...extra } }]
const post = (path: string, body: BodyInit, extra: Extra = {}): Asked => [
  path,
  { method: 'POST', headers: { ...pro, ...json, ...extra }, body },
]

/** An app of acct_pro that people talk to, and a conversation of it that goes on. */
const talkative = 'app_w33c4cwmhfyfktiv'
const open = createGreenhouse()
  .world()
  .records.conversations.all()
  .find(({ app, ended_at }) => app === talkative && ended_at === undefined)!.id

/**
 * One client's history: what `operations.test.ts` has not, such as odd paths, bodies and headers,
 * scenarios, worlds, and requests again.
 */
const history: readonly Asked[] = [
  ['/plants', { headers: pro }],
  ['/plants?limit=%zz', { headers: pro }],
  ['/plants'],
  ['/plants', { headers: { authorization: 'Basic abc' } }],
  ['/plants', { method: 'HEAD', headers: pro }],
  ['/plants', { method: 'PUT', headers: pro }],
  ['/plants', { method: 'OPTIONS', headers: pro }],
  ['/plants/', { headers: pro }],
  post('/plants', '{"id":9223372036854775807,"name":"Fi\u00e7us \u{1F331}","tag":"tree"}'),
  post('/plants', '{"id":9223372036854775807,"name":"again"}'),
  post('/plants', '{"id":9223372036854775808,"name":"too large"}'),
  post('/plants', '{"id":'),
  ['/plants', { method: 'POST', headers: { ...pro, ...json } }],
  ['/plants', { method: 'POST', headers: pro, body: new Uint8Array([123, 255, 125]) }],
  post('/plants', '{}', { 'content-encoding': 'br' }),
  post('/plants', `"${'x'.repeat(2 ** 20)}"`),
  ['/plants', { headers: pro }],
  ['/plants/9223372036854775807', { method: 'DELETE', headers: pro }],
  ['/plants/9223372036854775807', { method: 'DELETE', headers: pro }],
  ['/plants/one', { method: 'DELETE', headers: pro }],
  ['/plants/%zz', { method: 'DELETE', headers: pro }],
  ['/plants/1', { method: 'DELETE', headers: pro }],
  post('/v1/apps', '{"name":"one","description":"\u00fcber"}'),
  post('/v1/apps', '{"name":"two"}', { 'idempotency-key': 'k' }),
  post('/v1/apps', '{"name":"two"}', { 'idempotency-key': 'k' }),
  post('/v1/apps', '{"name":"three"}', { 'idempotency-key': 'k' }),
  [
    '/v1/apps',
    {
      method: 'POST',
      headers: { authorization: 'Bearer key_readonly', ...json },
      body: '{"name":"no"}',
    },
  ],
  ['/v1/apps'],
  ['/v1'],
  ['/v1/nowhere', { headers: pro }],
  ['/v1/apps', { method: 'DELETE', headers: pro }],
  get('/v1/apps', { origin: 'http://localhost:5173' }),
  get('/v1/apps', { origin: 'https://elsewhere.example' }),
  get('/v1/apps', { 'x-greenhouse-scenario': 'rate-limited-plan' }),
  get('/v1/apps', { 'x-greenhouse-scenario': 'server-error' }),
  get('/v1/apps', { 'x-greenhouse-scenario': 'expired-keys' }),
  get('/plants', {
    'x-greenhouse-scenario': 'malformed-plant:field=tag;kind=null, server-error:on=apps.*',
  }),
  ['/plants?limit=1', { headers: { authorization: 'Bearer key_pro@elsewhere' } }],
  ['/~elsewhere/v1/apps?limit=1', { headers: pro }],
  get('/v1/apps?limit=1', { 'x-greenhouse-world': 'not a name' }),
  post(`/v1/apps/${talkative}/conversations/${open}/messages`, '{"content":"W\u00e4chst er?"}'),
  post(
    `/v1/apps/${talkative}/conversations/${open}/messages`,
    '{"content":"And now?","stream":true}',
    {
      'idempotency-key': 's',
    },
  ),
  post(
    `/v1/apps/${talkative}/conversations/${open}/messages`,
    '{"content":"And now?","stream":true}',
    {
      'idempotency-key': 's',
    },
  ),
  // Paths, queries, methods, headers and bodies as clients may write them.
  ...['/plants//', '/v1//apps', '/v1/apps/', '/v1/apps/%61pp_none'].map((path): Asked => [
    path,
    { headers: pro },
  ]),
  ...[
    'limit=%32',
    'limit=1&limit=2',
    'limit=+2',
    'x=%C3%A4&x=%20',
    'limit',
    'x=%',
    '&&limit=1&',
    'limit=1?x=2',
    '',
  ].map((query): Asked => [`/plants?${query}`, { headers: pro }]),
  ...['/v1/apps?limit=2&order=asc', '/v1/apps?limit=2&nonsense=%C3%BC', '/v1/apps?LIMIT=2'].map(
    (path): Asked => [path, { headers: pro }],
  ),
  ...['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST', 'PROPFIND', 'M-SEARCH', 'QUERY'].flatMap(
    (method): Asked[] => [
      ['/v1/apps', { method, headers: pro }],
      [`/v1/apps/${talkative}`, { method: method === 'DELETE' ? 'PUT' : method, headers: pro }],
      ['/~elsewhere/plants?limit=1', { method, headers: pro }],
    ],
  ),
  ['/v1/plans', { method: 'HEAD' }],
  [
    '/v1/plans',
    {
      headers: [
        ...Object.entries(pro),
        ['x-odd', 'one'],
        ['X-Odd', 'two'],
        ['x-latin', 'caf\u00e9'],
        ['x-empty', ''],
      ],
    },
  ],
  [
    '/v1/plans',
    {
      headers: [
        ['authorization', 'Bearer key_pro'],
        ['authorization', 'Bearer key_free'],
      ],
    },
  ],
  get('/v1/plans', {
    cookie: 'a=b; c=d',
    'x-request-id': 'mine',
    'if-none-match': '*',
    range: 'bytes=0-1',
  }),
  get('/v1/plans', { accept: 'application/xml', 'sec-fetch-site': 'same-origin' }),
  [
    '/v1/apps',
    {
      method: 'OPTIONS',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization, x-odd',
      },
    },
  ],
  [
    '/plants',
    {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' },
    },
  ],
  get('/v1/nowhere', { origin: 'https://elsewhere.example' }),
  get('/v1/apps?limit=1', { 'x-greenhouse-world': 'elsewhere' }),
  get('/v1/apps?limit=1', { 'x-greenhouse-scenario': 'nothing-of-that-name' }),
  get('/v1/apps?limit=1', { 'x-greenhouse-scenario': 'maintenance:retry-after=7' }),
  get('/v1/apps?limit=1', {
    'x-greenhouse-scenario': 'duplicated-headers:header=X-RateLimit-Limit',
  }),
  get('/v1/apps?limit=1', { 'x-greenhouse-scenario': 'error-without-body:status=418' }),
  get('/plants', { 'x-greenhouse-scenario': 'invalid-utf8' }),
  get('/plants', { 'x-greenhouse-scenario': 'missing-content-type' }),
  get('/plants', { 'x-greenhouse-scenario': 'huge-store:count=4000' }),
  [
    '/plants',
    { method: 'HEAD', headers: { ...pro, 'x-greenhouse-scenario': 'huge-store:count=4000' } },
  ],
  ...[
    gzipSync('{"id":6001,"name":"packed"}'),
    new Uint8Array([0xef, 0xbb, 0xbf, 123, 125]),
    new Uint8Array([34, 0xc3, 0x28, 34]),
    new Uint8Array([34, 0xed, 0xa0, 0x80, 34]),
    '\ufeff{"id":6002,"name":"BOM"}',
    '{"id":6003,"name":"\u{1f331}\u0000\u2028"}',
    'id=6004&name=form',
    new URLSearchParams({ id: '6005', name: 'form' }),
    '',
    ' ',
    `{"id":6006,"name":"${'\u00fc'.repeat(100_000)}"}`,
  ].flatMap((body): Asked[] => [
    post('/plants', body),
    post('/plants', body, { 'content-encoding': 'gzip' }),
    ['/v1/apps', { method: 'POST', headers: pro, body }],
  ]),
  ['/plants', { method: 'DELETE', headers: { ...pro, ...json }, body: '{"id":1}' }],
  ['/plants/2', { method: 'DELETE', headers: { ...pro, ...json }, body: '{"id":1}' }],
  ['/plants?limit=40', { headers: pro }],
  [`/v1/apps/${talkative}`, { method: 'DELETE', headers: pro }],
  [`/v1/apps/${talkative}/users`, { headers: pro }],
  ...Array.from({ length: 61 }, (): Asked => [
    '/v1/apps?limit=1',
    { headers: { authorization: 'Bearer key_free' } },
  ]),
]

test('every adapter gives and records the same status, headers and bytes for the same history', async () => {
  const [core, ...others] = adapters
  const expected = await transcribe(core!)
  expect(expected.replies).toHaveLength(history.length)
  for (const adapter of others) {
    const { replies, kept } = await transcribe(adapter)
    for (const [line, reply] of replies.entries())
      expect(reply, `${adapter.name}: ${JSON.stringify(history[line])}`).toEqual(
        expected.replies[line],
      )
    for (const [line, entry] of kept.entries())
      expect(entry, adapter.name).toEqual(expected.kept[line])
    expect(kept).toHaveLength(expected.kept.length)
  }
})

async function transcribe(adapter: Adapter) {
  // Named, since over a socket the pages of an origin that is not are turned away; within a process
  // no origin is.
  const { greenhouse, send, close } = await openAlike(adapter, {
    cors: ['https://elsewhere.example'],
  })
  const replies = []
  for (const asked of history) replies.push(await ask(send, asked))
  const kept = await keptBy(greenhouse)
  await close()
  return { replies, kept }
}
