import { expect } from 'vitest'
import { testApi, type CallOptions } from '../support/test-api.ts'

const worldOf = (headers: Headers) => /world=([^;]*)/.exec(headers.get('x-greenhouse')!)?.[1]

const header = { 'x-greenhouse-world': 'header' }
const key = 'key_pro@suffix'

const named: [title: string, prefix: string, options: CallOptions, world: string][] = [
  ['a request that names no world means the default one', '', {}, 'default'],
  ['a prefix of the path names the world', '/~path', {}, 'path'],
  ['the header X-Greenhouse-World names the world', '', { headers: header }, 'header'],
  ['a suffix of the key names the world, with no other set-up', '', { key }, 'suffix'],
  ['the suffix default names the default world', '', { key: 'key_pro@default' }, 'default'],
  ['the path comes before the header and the key', '/~path', { key, headers: header }, 'path'],
  ['the header comes before the key', '', { key, headers: header }, 'header'],
  ['the path comes before the key', '/~path', { key }, 'path'],
]

for (const [title, prefix, options, world] of named)
  testApi(title, {}, async ({ call, greenhouse }) => {
    for (const path of ['/plants', '/v1/apps', '/v1/apps?limit=1']) {
      const { status, headers } = await call('GET', prefix + path, options)
      expect([status, worldOf(headers)]).toEqual([200, world])
    }
    // A world that is named but overruled is not created.
    expect(new Set(greenhouse.worlds())).toEqual(new Set(['default', world]))
  })

testApi('a world alone is the root of its service', {}, async ({ call, greenhouse }) => {
  expect((await call('GET', '/~path')).status).toBe(404)
  expect(greenhouse.worlds()).toContain('path')
})

testApi('a world gives the key that names it', {}, async ({ world, greenhouse }) => {
  expect([world.key('key_pro'), greenhouse.world('checkout').key('key_pro')]).toEqual([
    'key_pro',
    'key_pro@checkout',
  ])
})

testApi(
  'a name can have dots, hyphens, underscores, digits and capitals, and 64 characters',
  {},
  async ({ call }) => {
    for (const name of [
      ['a.b', '.', '..', '...', 'v1.2-rc_3', 'CheckOut'],
      ['0', '-', '__proto__', 'constructor', 'a'.repeat(64)],
    ].flat()) {
      const { status, headers } = await call('GET', '/plants', {
        headers: { 'x-greenhouse-world': name },
      })
      expect([status, worldOf(headers)]).toEqual([200, name])
      const suffixed = await call('GET', '/plants', { key: `key_pro@${name}` })
      expect([suffixed.status, worldOf(suffixed.headers)]).toEqual([200, name])
    }
    const dotted = await call('GET', '/~a.b/v1/apps')
    expect([dotted.status, worldOf(dotted.headers)]).toEqual([200, 'a.b'])
  },
)

testApi('names that differ in case are different worlds', {}, async ({ call, greenhouse }) => {
  await call('DELETE', '/~Checkout/plants/101')
  expect(greenhouse.world('Checkout').records.plants.get(101)).toBeUndefined()
  expect(greenhouse.world('checkout').records.plants.get(101)).toBeDefined()
})

testApi(
  "an invalid name is 400 in the control API's shape, and makes no world",
  {},
  async ({ call, greenhouse }) => {
    const latin = (name: string) => Buffer.from(name, 'latin1').toString('latin1')
    const asked: [path: string, headers?: Record<string, string>][] = [
      ...['a b', 'ä', 'a/b', 'a'.repeat(65), '@', 'a,b', 'default, other'].map(
        (name): [string, Record<string, string>] => [
          '/v1/apps',
          { 'x-greenhouse-world': latin(name) },
        ],
      ),
      ['/~/plants'],
      ['/~a%20b/plants'],
      ['/~a@b/v1/apps'],
      [`/~${'a'.repeat(65)}/plants`],
    ]
    for (const [path, names = {}] of asked) {
      const { status, body, headers } = await call('GET', path, { headers: names })
      expect(status).toBe(400)
      expect(body).toEqual({
        error: { code: 'invalid_world', message: expect.stringContaining('A-Z a-z 0-9 . _ -') },
      })
      expect(headers.get('content-type')).toMatch(/^application\/json/)
    }
    expect(greenhouse.worlds()).toEqual(['default'])
  },
)

testApi(
  'a suffix that is no name, or has no key before it, names no world',
  {},
  async ({ call, greenhouse }) => {
    for (const suffix of ['', 'a b', 'a/b', 'a'.repeat(65)]) {
      const { status, body } = await call('GET', '/v1/apps', { key: `key_pro@${suffix}` })
      expect([status, body.error.code]).toEqual([401, 'invalid_api_key'])
    }
    expect((await call('GET', '/plants', { key: '@checkout' })).status).toBe(401)
    expect(greenhouse.worlds()).toEqual(['default'])
  },
)

testApi('an unknown key with a suffix is unknown in that world', {}, async ({ call }) => {
  const { status, headers } = await call('GET', '/v1/apps', { key: 'key_nobody@checkout' })
  expect([status, worldOf(headers)]).toEqual([401, 'checkout'])
})

testApi('asking in code for a world of an invalid name is an error', {}, async ({ greenhouse }) => {
  for (const name of ['', 'a b', 'a/b', 'a'.repeat(65), 'ä'])
    expect(() => greenhouse.world(name)).toThrow(RangeError)
  expect(greenhouse.worlds()).toEqual(['default'])
})

testApi('a key is no valid world name, since names are shown', {}, async ({ call, greenhouse }) => {
  const told = [
    await call('GET', '/~key_pro/plants'),
    await call('GET', '/plants', { headers: { 'x-greenhouse-world': 'key_pro' } }),
    await call('GET', '/plants', { key: 'key_lite@key_pro' }),
  ]
  for (const { status, body } of told) {
    expect([status, body.error?.code ?? body.code]).toEqual([400, 'invalid_world'])
    expect(JSON.stringify(body)).not.toContain('key_pro')
  }
  expect(() => greenhouse.world('key_pro')).toThrow('its name is a key or another secret')
  expect(greenhouse.worlds()).toEqual(['default'])
})

testApi('a change of an account or a key stays in its world', {}, async ({ call, greenhouse }) => {
  await greenhouse.world('a').records.accounts.update('acct_free', { plan: 'pro' })
  await greenhouse.world('a').records.keys.update('key_lite', { revoked: true })
  expect(
    (await call('GET', '/~a/v1/apps', { key: 'key_free' })).headers.get('x-ratelimit-limit'),
  ).toBe('300')
  expect(
    (await call('GET', '/~b/v1/apps', { key: 'key_free' })).headers.get('x-ratelimit-limit'),
  ).toBe('60')
  expect((await call('GET', '/~a/v1/apps', { key: 'key_lite' })).status).toBe(401)
  expect((await call('GET', '/~b/v1/apps', { key: 'key_lite' })).status).toBe(200)
})

testApi('snapshots belong to their world', {}, async ({ greenhouse }) => {
  greenhouse.world('a').snapshot('mine')
  expect(() => greenhouse.world('b').restore('mine')).toThrow(RangeError)
  expect(greenhouse.world('b').snapshots).toEqual([])
})
