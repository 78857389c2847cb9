const { createGreenhouse } = require('greenhouse-mock')
const { greenhouseMatchers } = require('greenhouse-mock/matchers')
const { createHandlers } = require('greenhouse-mock/msw')
const { serve } = require('greenhouse-mock/server')
const { setupServer } = require('msw/node')
const { ask, bases, expected } = require('./client.cjs')

jest.setTimeout(60_000)
expect.extend(greenhouseMatchers)
const greenhouse = createGreenhouse()
const interception = setupServer(...createHandlers(greenhouse, bases))
beforeAll(() => interception.listen({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' }))
afterAll(() => interception.close())

test('MSW answers', async () => {
  expect(await ask(bases.plants, bases.apps)).toEqual(expected)
  expect(greenhouse.world()).toHaveNoViolations()
})

test('a server answers', async () => {
  const server = await serve(createGreenhouse())
  expect(await ask(server.url, `${server.url}/v1`)).toEqual(expected)
  await server.close()
})
