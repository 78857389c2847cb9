import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { getResponse } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import { toInit } from '../support/test-api.ts'
import { stubPage } from './page.ts'

/** Node 25 and later have the storages. */
test.each([
  [
    'sessionStorage',
    () => createGreenhouse({ persist: 'session' }),
    'needs the sessionStorage of a page, and there is none',
  ],
  [
    'localStorage',
    () => createGreenhouse({ persist: 'local' }),
    'needs the localStorage of a page, and there is none here',
  ],
  [
    'location',
    () => createHandlers(createGreenhouse(), { plants: '/api' }),
    'plants: expected an absolute URL',
  ],
])('a global %s makes no page, and is not touched', (name, run, message) => {
  const own = Object.getOwnPropertyDescriptor(globalThis, name)
  const get = () => expect.fail('It was touched.')
  Object.defineProperty(globalThis, name, { get, configurable: true })
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, name)
    if (own) Object.defineProperty(globalThis, name, own)
  })
  expect(run).toThrow(message)
})

test('headers count in any case, as happy-dom keeps it', async () => {
  const { Headers: Own } = globalThis
  const capitalize = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
  class KeepsCase extends Own {
    override [Symbol.iterator]() {
      return Array.from(super.entries(), ([name, value]): [string, string] => [
        capitalize(name),
        value,
      ]).values()
    }
  }
  const greenhouse = createGreenhouse()
  const request = new Request('http://a.test/v1/apps')
  const value = new KeepsCase({ authorization: 'Bearer key_pro', 'x-greenhouse-world': 'other' })
  Object.defineProperty(request, 'headers', { value })
  expect(Array.from(request.headers)[0]).toEqual(['Authorization', 'Bearer key_pro'])
  const reply = await greenhouse.fetch(request)
  expect([reply.status, reply.headers.get('x-greenhouse')]).toEqual([
    200,
    'world=other; operation=apps.list',
  ])
  expect(greenhouse.world('other').journal.calls()[0]!.request.headers['authorization']).toMatch(
    /^Bearer fp_/,
  )
})

test('in a page a path is a base URL of its origin, as msw has it', async () => {
  stubPage({ location: new URL('https://shop.example/cart?open') })
  const handlers = createHandlers(createGreenhouse(), { plants: '/garden', apps: '/api/v1' })
  const ask = async (url: string) =>
    (await getResponse(handlers, new Request(url, toInit('GET'))))?.status
  expect(await ask('https://shop.example/garden/plants')).toBe(200)
  expect(await ask('https://shop.example/~checkout/api/v1/apps')).toBe(200)
  expect(await ask('https://shop.example/garden/plants/~checkout')).toBe(404)
  expect(await ask('https://other.example/api/v1/apps')).toBeUndefined()
  const message = 'or, in a browser page, a path, such as "/api"'
  expect(() => createHandlers(createGreenhouse(), { plants: 'garden' })).toThrow(message)
})
