import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { toFingerprint } from '../../src/core/secrets/secret-finder.ts'
import { createGreenhouse } from 'greenhouse-mock'
import { served, toRequest } from '../support/socket.ts'
import { watchOutputs } from '../support/outputs.ts'

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
