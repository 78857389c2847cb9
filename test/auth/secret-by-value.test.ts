import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { toFingerprint } from '../../src/core/store/fingerprint.ts'
import { createGreenhouse } from 'greenhouse-mock'
import { served, toRequest } from '../support/socket.ts'
import { watchOutputs } from '../support/outputs.ts'

served(
  'every secret that the world knows is a fingerprint wherever it stands',
  async ({ greenhouse, server, exchange }) => {
    const world = greenhouse.world()
    const key = await world.createKey({ account: 'acct_pro' })
    const call = async (method: string, path: string, body: object = {}) =>
      JSON.parse(
        (
          await exchange(
            toRequest(
              `${method} ${path}`,
              ['Authorization: Bearer key_pro', 'Content-Type: application/json'],
              JSON.stringify(body),
            ),
          )
        )[0]!.text,
      )
    const outputs = await watchOutputs(greenhouse, server)
    const { id, secret: former } = await call('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/' })
    const { secret } = await call('POST', `/v1/webhooks/${id}/rotate-secret`)
    expect([former, secret]).toEqual([expect.stringMatching(/^whsec_/), expect.stringMatching(/^whsec_/)])
    const secrets = [key.secret, 'key_pro_plus', former, secret]
    for (const value of secrets) {
      const encoded = [...value].map((character) => '%' + character.charCodeAt(0).toString(16)).join('')
      const twice = encoded.replaceAll('%', '%25')
      for (const target of [
        `/plants/${encodeURIComponent(value)}`,
        `/plants?q=${encodeURIComponent(value)}`,
        `/plants?q=${encoded}`,
        `/plants?q=x${twice}x`,
      ])
        await exchange(toRequest(`GET ${target}`))
      await exchange(toRequest('GET /plants', [`X-Whatever: a ${value} b`, `Referer: http://x.test/${encoded}`]))
      await call('POST', '/v1/apps', { name: `my ${value}`, note: value })
      await exchange(
        toRequest(
          'POST /v1/apps',
          ['Authorization: Bearer key_pro', 'Content-Type: application/json'],
          `{"name":"${[...value].map((character) => '\\u00' + character.charCodeAt(0).toString(16)).join('')}"}`,
        ),
      )
    }
    const told = await outputs.read()
    for (const [name, text] of Object.entries(told))
      for (const value of secrets) {
        const spellings = [
          value,
          encodeURIComponent(value),
          [...value].map((character) => '%' + character.charCodeAt(0).toString(16)).join(''),
        ]
        for (const spelling of spellings) expect(text, `${name}: ${value}`).not.toContain(spelling)
        expect(text, name).toContain(toFingerprint(value))
      }
  },
)

served('a longer key is not taken for a shorter one that it begins with', async ({ greenhouse, exchange }) => {
  await exchange(toRequest('GET /plants?a=key_pro&b=key_pro_plus&c=key_pro%40checkout'))
  const [{ request } = expect.fail()] = greenhouse.world().journal.calls()
  expect(request.url).toBe(
    `/plants?a=${toFingerprint('key_pro')}&b=${toFingerprint('key_pro_plus')}&c=${toFingerprint('key_pro')}%40checkout`,
  )
})

served('a key that is made after a request is hidden in its entry too', async ({ greenhouse, exchange }) => {
  await exchange(toRequest('GET /plants?q=abcd1234'))
  const { journal, records } = greenhouse.world()
  expect(journal.calls()[0]!.request.url).toBe('/plants?q=abcd1234')
  records.keys.create({ secret: 'abcd1234', account: 'acct_pro' })
  expect(journal.calls()[0]!.request.url).toBe(`/plants?q=${toFingerprint('abcd1234')}`)
})

served('what only looks like the name of a secret stays', async ({ greenhouse, exchange }) => {
  const query = 'keyboard=qwertz&monkey=1&author=Ada&max_tokens=100&keyword=x&session_duration=20&cursor=abc&limit=2'
  await exchange(
    toRequest(`GET /plants?${query}`, [
      'Idempotency-Key: 4711-idem',
      'Sec-WebSocket-Key: abcdefgh',
      'X-Authored-By: Ada',
    ]),
  )
  const [{ request } = expect.fail()] = greenhouse.world().journal.calls()
  expect(request.url).toBe(`/plants?${query}`)
  expect(request.headers).toMatchObject({
    'idempotency-key': '4711-idem',
    'sec-websocket-key': 'abcdefgh',
    'x-authored-by': 'Ada',
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
