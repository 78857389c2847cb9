import { expect } from 'vitest'
import type { World } from 'greenhouse-mock'
import { testApi } from '../support/test-api.ts'

const lastBody = ({ journal }: World) => String(journal.calls().at(-1)!.request.body)

testApi('harmless values under secret names are shown, others hidden', async ({ call, world }) => {
  const shown = [
    '"token": true',
    '"secret":false',
    '"password": null',
    '"api_key": ""',
    '"max_tokens": 100',
    '"tokens":123456789012345',
    '"authenticated": true',
    '"secret": [true, "abcdefgh"]',
    '"auth.missing-code": "invalid_api_key"',
  ]
  const hidden = ['"token": 1', '"token":\t2', '"secret":-7.5e3', '"session_secret": 1']
  for (const part of [...shown, ...hidden]) {
    await call('POST', '/plants', { body: `{${part}}` })
    const body = lastBody(world)
    expect([part, body.includes(part)]).toEqual([part, shown.includes(part)])
    if (hidden.includes(part)) expect(body).toMatch(/^{"\w+":\s?\[?"fp_[\da-f]{12}"\]?}$/)
  }
})

testApi(
  'a body that ends in the middle of what a name announces is shown up to there',
  async ({ call, world }) => {
    for (const body of [
      '{"token":',
      '{"token": ',
      '{"token": [',
      '{"token": [1',
      '{"token": {"a":',
    ]) {
      await call('POST', '/plants', { body })
      expect(lastBody(world)).toMatch(/^\{"token":/)
    }
  },
)

testApi('in a query only the value of a secret name is hidden', async ({ call, world }) => {
  const shown = async (path: string) => {
    await call('GET', path)
    return world.journal
      .calls()
      .at(-1)!
      .request.url.replace(/^\/~[^/]+/, '')
      .replaceAll(/fp_[\da-f]{12}/g, 'FP')
  }
  expect(await shown('/plants?token=abc%5C%22defgh')).toBe('/plants?token=FP')
  expect(await shown('/plants?token=abcdefgh&a=1&key=ijklmnop')).toBe('/plants?token=FP&a=1&key=FP')
  expect(await shown(`/plants?token=${'x'.repeat(9_000)}&a=1`)).toBe('/plants?token=FP&a=1')
  expect(await shown('/plants?a=sk_live_abcdefgh')).toBe('/plants?a=sk_live_abcdefgh')
})

testApi('in any other text only known values are hidden', async ({ call, world }) => {
  await call('POST', '/plants', {
    key: 'sunflower',
    body: 'a token=abcdefgh, password: "x", a sunflower',
  })
  expect(lastBody(world)).toMatch(/^a token=abcdefgh, password: "x", a fp_[\da-f]{12}$/)
})

testApi(
  'a known value is hidden before a field that names a secret, too',
  async ({ call, world }) => {
    const note = { note: 'a sunflower', password: 'hunter2hunter2' }
    await call('POST', '/plants', { key: 'sunflower', body: note })
    const shown = lastBody(world).replaceAll(/fp_[\da-f]{12}/g, 'FP')
    expect(shown).toBe('{"note":"a FP","password":"FP"}')
  },
)

testApi('a short key is hidden as a word, and shown in one', async ({ call, world }) => {
  world.records.keys.create({ secret: 'k9x2', account: 'acct_pro' })
  await call('POST', '/plants', { body: 'k9x2' })
  expect(lastBody(world)).toMatch(/^fp_[\da-f]{12}$/)
  await call('POST', '/plants', { body: { name: 'ak9x2 k9x2z k9x20 k9x2' } })
  expect(lastBody(world)).toMatch(/"ak9x2 k9x2z k9x20 fp_[\da-f]{12}"/)
  world.records.keys.create({ secret: 'k9x2z8', account: 'acct_pro' })
  await call('POST', '/plants', { body: { name: 'ak9x2z8z' } })
  expect(lastBody(world)).toMatch(/"afp_[\da-f]{12}z"/)
})

testApi('a secret of a form in parts ends where its part does', async ({ send, world }) => {
  const head = '--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n'
  const post = (body: string) =>
    send('/plants', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body,
    })
  await post(`${head}abcdefgh\r\n--b--`)
  await post(`${head}abcdefgh`)
  await post(`${head.replace('api_key', 'species')}abcdefgh`)
  const [whole, cut, shown] = world.journal
    .calls()
    .map(({ request }) => String(request.body).slice(head.length))
  expect(shown).toBe('abcdefgh')
  expect(whole).toMatch(/^fp_[\da-f]{12}\r\n--b--$/)
  expect(cut).toMatch(/^fp_[\da-f]{12}$/)
})

testApi(
  'each of very many secrets in a text is hidden, the rest is shown',
  async ({ call, world }) => {
    for (const secret of ['key_pro ', '"token":"abcdefgh",']) {
      await call('POST', '/plants', { body: `${secret.repeat(1_001)}"name":"Fern"` })
      expect(lastBody(world)).toMatch(/"name":"Fern"$/)
      expect(lastBody(world)).not.toMatch(/key_pro|abcdefgh/)
    }
  },
)
