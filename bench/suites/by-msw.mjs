import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { sendThree } from './send-three.cjs'

const greenhouse = createGreenhouse()
const server = setupServer(
  ...createHandlers(greenhouse, { plants: 'http://plants.test', apps: 'http://apps.test/v1' }),
)
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => greenhouse.world().reset())
afterAll(() => server.close())

for (let number = 1; number <= 20; number++)
  test(`test ${number}`, () => sendThree('http://plants.test'))
