import { expect } from 'vitest'
import { through } from '../support/through.ts'

// In two parts, so that no scanner takes it for a real one.
const secret = ['sk', 'live', '51QxGreenhouse0aBcDeFgHiJkLm'].join('_')

const sent: Record<string, Record<string, string>> = {
  bearer: { authorization: `Bearer ${secret}` },
  'bearer in lower case': { authorization: `bearer ${secret}` },
  'bearer with a world': { authorization: `Bearer ${secret}@default` },
  'another scheme': { authorization: `Basic ${secret}` },
  'no scheme': { authorization: secret },
  cookie: { cookie: `key=${secret}` },
  'a header of other APIs': { 'x-api-key': secret },
  'another such header': { 'api-key': secret },
  'a proxy': { 'proxy-authorization': `Bearer ${secret}` },
}

through(
  'a real-looking key that is sent by mistake is in no reply and nowhere in the journal',
  async ({ call, world }) => {
    for (const [what, headers] of Object.entries(sent))
      for (const path of ['/v1/apps', '/v1/apps/x', '/v1/unknown']) {
        const { status, text, headers: returned } = await call('GET', path, { key: null, headers })
        expect(status, what).toBe(path === '/v1/unknown' ? 404 : 401)
        expect(text + JSON.stringify([...returned]), what).not.toContain(secret)
      }
    const journal = world.journal.calls()
    expect(journal).toHaveLength(3 * Object.keys(sent).length)
    expect(JSON.stringify(journal)).not.toContain(secret)
  },
)

through(
  'the journal shows a fingerprint for a key: the same one for the same key, another for another',
  async ({ call, world }) => {
    for (const key of [secret, secret, 'key_pro', 'key_pro', 'key_lite']) await call('GET', '/v1/apps', { key })
    const shown = world.journal.calls().map(({ request }) => request.headers['authorization'])
    for (const fingerprint of shown) expect(fingerprint).toMatch(/^Bearer fp_[0-9a-f]{12}$/)
    expect(shown[1]).toBe(shown[0])
    expect(shown[3]).toBe(shown[2])
    expect(new Set(shown).size).toBe(3)
  },
)

through('a good key is not in the journal either', async ({ call, world }) => {
  await call('POST', '/v1/apps', { body: { name: 'x' } })
  await call('GET', '/v1/unknown')
  expect(JSON.stringify(world.journal.calls())).not.toContain('key_pro')
})
