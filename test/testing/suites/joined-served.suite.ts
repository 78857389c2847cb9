import { afterEach } from 'vitest'
import { createTest } from 'greenhouse-mock/vitest'
import { ask, deliver, listen, server } from './team-server.ts'

listen('error')
afterEach(() => server.resetHandlers())

const test = createTest({ server, strict: true })

for (let index = 0; index < 5; index++)
  test.concurrent('the server of the tests is reached, unknown to the team', async ({
    api,
    world,
    expect,
  }) => {
    expect((await ask(`${api.appsUrl}/apps`, 'key_pro')).trace).toBe(
      `world=${world.name}; operation=apps.list`,
    )
    expect((await ask(`${api.plantsUrl}/plants`, 'key_pro')).status).toBe(200)
  })

test('a delivery reaches a receiver that the handlers of the team know nothing of', async ({
  api,
  world,
  expect,
}) => {
  const received = await deliver(api.appsUrl, 'key_pro', () => world.settled())
  expect(received).toHaveLength(1)
})
