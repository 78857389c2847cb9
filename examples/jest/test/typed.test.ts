import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { withWorld } from 'greenhouse-mock/testing'
import type { PlantReply } from 'greenhouse-mock/types'
import { setupServer } from 'msw/node'

test(
  'a plant has a name',
  withWorld(async ({ api }) => {
    const response = await fetch(`${api.plantsUrl}/plants`, {
      headers: { authorization: 'Bearer key_pro' },
    })
    const plants = (await response.json()) as PlantReply[]
    for (const { name } of plants) expect(typeof name).toBe('string')
  }),
)

test.each([1, 2])(
  'a list of %d',
  withWorld(async ({ api }, limit: number) => {
    const response = await fetch(`${api.plantsUrl}/plants?limit=${limit}`, {
      headers: { authorization: 'Bearer key_pro' },
    })
    expect(await response.json()).toHaveLength(limit)
  }),
)

test('handlers go into a setupServer of your own', async () => {
  const server = setupServer(
    ...createHandlers(createGreenhouse(), { apps: 'https://api.example.com/v1' }),
  )
  server.listen({ onUnhandledRequest: 'error' })
  const response = await fetch('https://api.example.com/v1/apps', {
    headers: { authorization: 'Bearer key_pro' },
  })
  expect(response.status).toBe(200)
  server.close()
})
