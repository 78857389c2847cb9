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
    '"secret": [true, false, null]',
  ]
  const hidden = [
    '"token": 1',
    '"token":\t2',
    '"secret":-7.5e3',
    '"tokens": 1234567890123456',
    '"password": [12345]',
    '"session_secret": 1',
  ]
  for (const part of [...shown, ...hidden]) {
    await call('POST', '/plants', { body: `{${part}}` })
    const body = lastBody(world)
    expect([part, body.includes(part)]).toEqual([part, shown.includes(part)])
    if (hidden.includes(part)) expect(body).toMatch(/^{"\w+":\s?\[?"fp_[\da-f]{12}"\]?}$/)
  }
})

testApi('a body that ends in the middle of what a name announces is shown up to there', async ({ call, world }) => {
  for (const body of ['{"token":', '{"token": ', '{"token": [', '{"token": [1', '{"token": {"a":']) {
    await call('POST', '/plants', { body })
    expect(lastBody(world)).toMatch(/^\{"token":/)
  }
})

testApi('in a text with escapes only the secret is hidden', async ({ call, world }) => {
  const shown = async (path: string) => {
    await call('GET', path)
    return world.journal
      .calls()
      .at(-1)!
      .request.url.replace(/^\/~[^/]+/, '')
      .replaceAll(/fp_[\da-f]{12}/g, 'FP')
  }
  expect(await shown('/plants?a=%41%42&token%3Dabcdefgh&b=%43')).toBe('/plants?a=%41%42&token%3DFP&b=%43')
  expect(await shown('/plants?token=abc%5C%22defgh')).toBe('/plants?token=FP')
  expect(await shown('/plants?token%25253Dabc%25255C%252522defgh')).toBe('/plants?token%25253DFP')
  expect(await shown('/plants?token=abc;defgh;')).toBe('/plants?token=FP')
  expect(await shown('/plants?token=abcdefgh&a=1&key=ijklmnop')).toBe('/plants?token=FP&a=1&key=FP')
  expect(await shown('/plants?a=sk_live_abcdefgh&token=ijklmnop')).toBe('/plants?a=FP&token=FP')
  expect(await shown(`/plants?token=${'x'.repeat(9_000)}&a=1`)).toBe('/plants?token=[hidden]&a=1')
  expect(await shown(`/plants?${'token=abcdefgh&'.repeat(302)}`)).toBe(
    `/plants?${'token=FP&'.repeat(64)}${'token=[hidden]&'.repeat(238)}`,
  )
})

testApi('an escape of another letter makes no name of a secret', async ({ call, world }) => {
  await call('POST', '/plants', { body: '{"to\\u016ben":"pebbles1","to\\u0080ken":"pebbles3","\\u006bey":"pebbles2"}' })
  expect(lastBody(world)).toMatch(/^{"to\\u016ben":"pebbles1","to\\u0080ken":"pebbles3","\\u006bey":"fp_[\da-f]{12}"}$/)
})

testApi('a plain word that is a password is shown where it is a word', async ({ call, world }) => {
  const shown = async (password: string) => {
    await call('POST', `/plants?password=${password}`, { body: { name: `A ${password}.` } })
    return lastBody(world)
  }
  await call('POST', '/plants', { key: 'sunflower', body: { name: 'A sunflower.' } })
  expect(lastBody(world), 'as a key').toMatch(/^{"name":"A fp_/)
  expect(await shown('sunflower')).toBe('{"name":"A sunflower."}')
  expect(await shown('sunflower9')).toMatch(/^{"name":"A fp_[\da-f]{12}\."}$/)
})

testApi('a short key is hidden as a word, and shown in one', async ({ call, world }) => {
  world.records.keys.create({ secret: 'k9x2', account: 'acct_pro' })
  await call('POST', '/plants', { body: 'k9x2' })
  expect(lastBody(world)).toMatch(/^fp_[\da-f]{12}$/)
  await call('POST', '/plants', { body: { name: 'ak9x2 k9x2z k9x20 k9x2' } })
  expect(lastBody(world)).toMatch(/"ak9x2 k9x2z k9x20 fp_[\da-f]{12}"/)
})

testApi('in a text a value without quotes ends at a quote', async ({ call, world }) => {
  await call('POST', '/plants', { body: 'say token=abcdefgh"' })
  expect(lastBody(world)).toMatch(/^say token=fp_[\da-f]{12}"$/)
})

testApi('of a form in parts a secret ends where its part does', async ({ call, world }) => {
  const head = '--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n'
  await call('POST', '/plants', { body: `${head}abcdefgh\r\n--b--` })
  await call('POST', '/plants', { body: `${head}abcdefgh` })
  await call('POST', '/plants', { body: `${head.replace('api_key', 'species')}abcdefgh` })
  const [whole, cut, shown] = world.journal.calls().map(({ request }) => String(request.body).slice(head.length))
  expect(shown).toBe('abcdefgh')
  expect(whole).toMatch(/^fp_[\da-f]{12}\r\n--b--$/)
  expect(cut).toMatch(/^fp_[\da-f]{12}$/)
})

testApi('of very many secrets in a text each is hidden, and what follows is shown', async ({ call, world }) => {
  for (const secret of ['key_pro ', '"token":"abcdefgh",']) {
    await call('POST', '/plants', { body: `${secret.repeat(1_001)}"name":"Fern"` })
    expect(lastBody(world)).toMatch(/"name":"Fern"$/)
    expect(lastBody(world)).not.toMatch(/key_pro|abcdefgh/)
  }
})
