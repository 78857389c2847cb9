import { createGreenhouse, type World } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { setupServer } from 'msw/node'

jest.setTimeout(60_000)
const greenhouse = createGreenhouse()
const world: World = greenhouse.world()
const server = setupServer(...createHandlers(greenhouse, { plants: 'https://plants.test' }))
beforeAll(() => server.listen())
afterAll(() => server.close())

test('MSW answers', async () => {
  world.use('rate-limited-minute')
  const response = await fetch('https://plants.test/plants', {
    headers: { Authorization: 'Bearer key_pro' },
  })
  expect(response.status).toBe(429)
})
