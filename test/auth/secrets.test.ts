import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { served, toRequest } from '../support/socket.ts'
import { watchOutputs } from '../support/outputs.ts'
import { toFingerprint } from '../support/fingerprint.ts'

// It does not look like a service's key, and no world knows it: only its place shows that it is a
// secret.
const secret = 'Zq7marker0aBcDeFgHiJk'

const headers = [
  'Authorization: Bearer SECRET',
  'Authorization: bearer SECRET@default',
  'Authorization: Basic SECRET',
  'Authorization: SECRET',
  'Proxy-Authorization: Bearer SECRET',
  'Cookie: key=SECRET',
  'Cookie: theme=dark; x=SECRET',
  'Cookie: SECRET; theme=dark;sid="SECRET"',
  'Set-Cookie: a=SECRET',
  'Set-Cookie: SECRET; Path=/',
  'X-API-Key: SECRET',
  'Api-Key: SECRET',
  'apikey: SECRET',
  'X-Auth-Token: SECRET',
  'X-Amz-Security-Token: SECRET',
  'X-Session-Id: SECRET',
  'X-Password: SECRET',
  'X-Credential: SECRET',
  'X-Auth: SECRET',
  'X-Pin: SECRET',
  'Referer: http://x.test/?api_key=SECRET',
  'Location: /a?access_token=SECRET&b=1',
  'X-Forwarded-Uri: /x?sig=SECRET',
  'Link: <http://x.test/?key=SECRET>; rel=next',
]

const queries = [
  [
    'api_key=SECRET',
    'a=1&apiKey=SECRET',
    '%6Bey=SECRET',
    'a=1;api_key=SECRET',
    'API-KEY=SECRET',
    'access_token=SECRET',
  ],
  [
    'sig=SECRET',
    'signature=SECRET',
    'auth[token]=SECRET',
    'x.password=SECRET',
    'key=SECRET#x',
    'token=%41%26SECRET',
  ],
  [
    'client%5Fsecret=SECRET',
    'jwt=SECRET',
    'pin=SECRET',
    'card_number=SECRET',
    'cardNumber=SECRET',
    'cvc=SECRET',
  ],
].flat()

const json = [
  '{"api_key":"SECRET"}',
  '{"a":{"Password" : "SECRET"}}',
  '{"password"\t:"SECRET"}',
  '{"credentials":{"token":"SECRET"}}',
  '{"x": [{"client_secret": "SECRET"}]}',
  '{"token":"SECRET',
  '{"session_id": "a\\"SECRET"}',
]

const bodies: [type: string, body: string][] = [
  ...json.map((body): [string, string] => ['application/json', body]),
  ['application/x-www-form-urlencoded', 'a=1&password=SECRET&b=2'],
  ['application/x-www-form-urlencoded', 'pass%77ord=SECRET'],
  [
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\nSECRET\r\n--b--',
  ],
]

served(
  'a secret is a fingerprint in all outputs, by the name it has',
  async ({ greenhouse, server, exchange }) => {
    const outputs = await watchOutputs(greenhouse, server)
    const put = (text: string) => text.replaceAll('SECRET', secret)
    const sent = [
      ...headers.map((header) => toRequest('GET /plants', [put(header)])),
      ...queries.map((query) => toRequest(`GET /plants?${put(query).replaceAll('"', '%22')}`)),
      ...bodies.map(([type, body]) =>
        toRequest(
          'POST /v1/apps',
          ['Authorization: Bearer key_pro', `Content-Type: ${type}`],
          put(body),
        ),
      ),
    ]
    // The key of a request stands elsewhere in it, too.
    sent.push(
      toRequest(`GET /plants/${secret}?x=${secret}`, [
        `Authorization: Bearer ${secret}`,
        `X-JournalRecord: ${secret}`,
      ]),
    )
    for (const request of sent) await exchange(request)
    expect(greenhouse.world().journal.size).toBe(sent.length)
    const told = await outputs.read()
    for (const [name, text] of Object.entries(told)) {
      for (const [index, line] of text.split(/\n|(?=\{"id")/).entries())
        expect(line, `${name}, line ${index}`).not.toContain(secret)
      expect(text, name).toMatch(/fp_[0-9a-f]{12}/)
    }
  },
)

served(
  'a longer key is not taken for a shorter one that it begins with',
  async ({ greenhouse, exchange }) => {
    await exchange(toRequest('GET /plants?a=key_pro&b=key_pro_plus&c=key_pro%40checkout'))
    const [{ request } = expect.fail()] = greenhouse.world().journal.calls()
    expect(request.url).toBe(
      `/plants?a=${toFingerprint('key_pro')}&b=${toFingerprint('key_pro_plus')}&c=${toFingerprint('key_pro')}%40checkout`,
    )
  },
)

served(
  'a key that is made after a request is hidden in its entry too',
  async ({ greenhouse, exchange }) => {
    await exchange(toRequest('GET /plants?q=abcd1234'))
    const { journal, records } = greenhouse.world()
    expect(journal.calls()[0]!.request.url).toBe('/plants?q=abcd1234')
    records.keys.create({ secret: 'abcd1234', account: 'acct_pro' })
    expect(journal.calls()[0]!.request.url).toBe(`/plants?q=${toFingerprint('abcd1234')}`)
  },
)

served('the value of a name that is in no list stays', async ({ greenhouse, exchange }) => {
  const query =
    'code=1&token_count=4&keyboard=qwertz&monkey=1&author=Ada&max_tokens=100&keyword=x&session_duration=20&cursor=abc&limit=2'
  await exchange(
    toRequest(`GET /plants?${query}`, [
      'Idempotency-Key: 4711-idem',
      'Sec-WebSocket-Key: abcdefgh',
      'X-Authored-By: Ada',
      'Access-Control-Allow-Credentials: true',
      'WWW-Authenticate: Bearer error="invalid_token"',
    ]),
  )
  const [{ request } = expect.fail()] = greenhouse.world().journal.calls()
  expect(request.url).toBe(`/plants?${query}`)
  expect(request.headers).toMatchObject({
    'idempotency-key': '4711-idem',
    'sec-websocket-key': 'abcdefgh',
    'x-authored-by': 'Ada',
    'access-control-allow-credentials': 'true',
    'www-authenticate': 'Bearer error="invalid_token"',
  })
})

test('the token of the control API is one of them', async () => {
  const token = 'open-sesame-4711'
  const greenhouse = createGreenhouse()
  await using server = await serve(greenhouse, { token })
  const outputs = await watchOutputs(greenhouse, server, { authorization: `Bearer ${token}` })
  await fetch(`${server.url}/plants/${token}?q=${token}`, { headers: { 'x-whatever': token } })
  await fetch(`${server.url}/plants`, { headers: { authorization: `Bearer ${token}` } })
  for (const [name, text] of Object.entries(await outputs.read())) {
    expect(text, name).toContain(toFingerprint(token))
    expect(text, name).not.toContain(token)
  }
})
