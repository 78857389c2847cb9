import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { stubPage } from './page.ts'

test('in a page a path is a base URL of its origin, as msw has it', async () => {
  stubPage({ location: new URL('https://shop.example/cart?open') })
  const handlers = createHandlers(createGreenhouse(), { plants: '/garden', apps: '/api/v1' })
  const ask = async (url: string) =>
    (await getResponse(handlers, new Request(url, { headers: { authorization: 'Bearer key_pro' } })))?.status
  expect(await ask('https://shop.example/garden/plants')).toBe(200)
  expect(await ask('https://shop.example/~checkout/api/v1/apps')).toBe(200)
  expect(await ask('https://other.example/api/v1/apps')).toBeUndefined()
  expect(() => createHandlers(createGreenhouse(), { plants: 'garden' })).toThrow(
    'or, in a browser page, a path, such as "/api"',
  )
})
