import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { testApi } from '../support/test-api.ts'

const worldOf = (headers: Headers) => /world=([^;]*)/.exec(headers.get('x-greenhouse')!)?.[1]

testApi('a request that names no world means the default one', {}, async ({ call }) => {
  for (const path of ['/plants', '/v1/apps']) expect(worldOf((await call('GET', path)).headers)).toBe('default')
})

testApi('a prefix of the path names the world, in both areas', {}, async ({ call, greenhouse }) => {
  for (const path of ['/plants', '/v1/apps', '/v1/apps?limit=1']) {
    const { status, headers } = await call('GET', `/~checkout${path}`)
    expect(status).toBe(200)
    expect(worldOf(headers)).toBe('checkout')
  }
  expect(greenhouse.worlds()).toContain('checkout')
})

testApi('the header X-Greenhouse-World names the world', {}, async ({ call }) => {
  for (const path of ['/plants', '/v1/apps']) {
    const { status, headers } = await call('GET', path, { headers: { 'x-greenhouse-world': 'checkout' } })
    expect(status).toBe(200)
    expect(worldOf(headers)).toBe('checkout')
  }
})

testApi('a suffix of the key names the world, with no other set-up', {}, async ({ call, greenhouse }) => {
  const key = greenhouse.world('checkout').key('key_pro')
  expect(key).toBe('key_pro@checkout')
  for (const path of ['/plants', '/v1/apps']) {
    const { status, headers } = await call('GET', path, { key })
    expect(status).toBe(200)
    expect(worldOf(headers)).toBe('checkout')
  }
})

testApi('a suffix without a key before it names no world', {}, async ({ call, greenhouse }) => {
  expect((await call('GET', '/plants', { key: '@checkout' })).status).toBe(401)
  expect(greenhouse.worlds()).toEqual(['default'])
})

testApi('in the world default the key is the key itself', {}, async ({ world, call }) => {
  expect(world.key('key_pro')).toBe('key_pro')
  expect(worldOf((await call('GET', '/plants', { key: 'key_pro@default' })).headers)).toBe('default')
})

testApi('the path comes before the header, the header before the key', {}, async ({ call }) => {
  const headers = { 'x-greenhouse-world': 'header' }
  const key = 'key_pro@suffix'
  const all = await call('GET', '/~path/plants', { key, headers })
  expect([all.status, worldOf(all.headers)]).toEqual([200, 'path'])
  const two = await call('GET', '/plants', { key, headers })
  expect([two.status, worldOf(two.headers)]).toEqual([200, 'header'])
  const pathAndKey = await call('GET', '/~path/plants', { key })
  expect([pathAndKey.status, worldOf(pathAndKey.headers)]).toEqual([200, 'path'])
})

testApi('a world that is named but overruled is not created', {}, async ({ call, greenhouse }) => {
  await call('GET', '/~path/plants', { key: 'key_pro@suffix', headers: { 'x-greenhouse-world': 'header' } })
  expect(greenhouse.worlds().sort()).toEqual(['default', 'path'])
})

testApi('a name can have dots, hyphens, underscores, digits and capitals, and 64 characters', {}, async ({ call }) => {
  for (const name of [
    'a.b',
    '.',
    '..',
    '...',
    'v1.2-rc_3',
    'CheckOut',
    '0',
    '-',
    '__proto__',
    'constructor',
    'a'.repeat(64),
  ]) {
    const { status, headers } = await call('GET', '/plants', { headers: { 'x-greenhouse-world': name } })
    expect([status, worldOf(headers)]).toEqual([200, name])
    const suffixed = await call('GET', '/plants', { key: `key_pro@${name}` })
    expect([suffixed.status, worldOf(suffixed.headers)]).toEqual([200, name])
  }
  const dotted = await call('GET', '/~a.b/v1/apps')
  expect([dotted.status, worldOf(dotted.headers)]).toEqual([200, 'a.b'])
})

testApi('names that differ in case are different worlds', {}, async ({ call, greenhouse }) => {
  await call('DELETE', '/~Checkout/plants/101')
  expect(greenhouse.world('Checkout').records.plants.get(101)).toBeUndefined()
  expect(greenhouse.world('checkout').records.plants.get(101)).toBeDefined()
})

testApi(
  'an invalid name is 400 in the shape of the control API, and makes no world',
  {},
  async ({ call, greenhouse }) => {
    const answers = [
      ...(await Promise.all(
        ['a b', 'ä', 'a/b', 'a'.repeat(65), '@', 'a,b', 'default, other'].map((name) =>
          call('GET', '/v1/apps', { headers: { 'x-greenhouse-world': encodeLatin(name) } }),
        ),
      )),
      ...(await Promise.all(
        ['/~a%20b/plants', '/~a@b/v1/apps', `/~${'a'.repeat(65)}/plants`].map((path) => call('GET', path)),
      )),
    ]
    for (const { status, body, headers } of answers) {
      expect(status).toBe(400)
      expect(body).toEqual({ error: { code: 'invalid_world', message: expect.stringContaining('A-Z a-z 0-9 . _ -') } })
      expect(headers.get('content-type')).toMatch(/^application\/json/)
    }
    expect(greenhouse.worlds()).toEqual(['default'])
  },
)

test('a prefix without a name is 400, too', async () => {
  const response = await createGreenhouse().fetch(new Request('http://greenhouse.test/~/plants'))
  expect([response.status, (await response.json()).error.code]).toEqual([400, 'invalid_world'])
})

testApi('a suffix that is no name is part of a key that is unknown', {}, async ({ call, greenhouse }) => {
  for (const suffix of ['', 'a b', 'a/b', 'a'.repeat(65)]) {
    const { status, body } = await call('GET', '/v1/apps', { key: `key_pro@${suffix}` })
    expect([status, body.error.code]).toEqual([401, 'invalid_api_key'])
  }
  expect(greenhouse.worlds()).toEqual(['default'])
})

testApi('an unknown key with a suffix is unknown in that world', {}, async ({ call }) => {
  const { status, headers } = await call('GET', '/v1/apps', { key: 'key_nobody@checkout' })
  expect([status, worldOf(headers)]).toEqual([401, 'checkout'])
})

testApi('asking in code for a world of an invalid name is an error', {}, async ({ greenhouse }) => {
  for (const name of ['', 'a b', 'a/b', 'a'.repeat(65), 'ä']) expect(() => greenhouse.world(name)).toThrow(RangeError)
  expect(greenhouse.worlds()).toEqual(['default'])
})

/** Headers carry bytes; what is no ASCII goes as Latin-1. */
function encodeLatin(name: string): string {
  return Buffer.from(name, 'latin1').toString('latin1')
}

testApi(
  'a key is not a valid world name: it would be shown wherever the world is',
  {},
  async ({ call, greenhouse }) => {
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
  },
)
