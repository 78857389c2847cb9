import { describe } from 'vitest'
import { createTest, test as served } from 'greenhouse-mock/vitest'
import { ask, bases, listen, server } from './team-server.ts'

listen('error')

served(
  'a server that is not named refuses ours',
  async ({ api }) => void (await ask(`${api.appsUrl}/apps`, 'key_pro')),
)

const alone = createTest({ apps: 'https://alone.example.com/v1' })
alone('a second server is refused, which would put the first out of work', ({ api }) => void api)

const first = createTest({ server, ...bases })
const second = createTest({ server, apps: `${bases.apps}/` })
describe('two that answer at one base URL', () => {
  first('the first works', async ({ api, expect }) =>
    expect((await ask(`${bases.apps}/apps`, api.key('key_pro'))).status).toBe(200),
  )
  second('the second is refused', ({ api }) => void api)
})
