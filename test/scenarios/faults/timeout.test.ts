import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { faulty } from './among.ts'
import { answered, hold } from './held.ts'

testApi(
  'a request whose client has given up before is not waited for',
  faulty({ kind: 'timeout' }),
  async ({ world, send }) => {
    world.use('it')
    await expect(send('/plants', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  },
)

testApi(
  'only so many requests are left without a reply, and the journal knows which',
  faulty({ kind: 'timeout', times: 1 }),
  async ({ world, send, call }) => {
    world.use('it')
    const giveUp = new AbortController()
    const { reply, arrived } = hold(send, '/plants', { signal: giveUp.signal })
    await answered(world)
    expect((await call('GET', '/plants')).status).toBe(200)
    expect(arrived()).toBe(false)
    expect(world.journal.calls().map(({ response, scenarios }) => [response.status, scenarios])).toEqual([
      [0, ['it']],
      [200, []],
    ])
    giveUp.abort()
    await expect(reply).rejects.toMatchObject({ name: 'AbortError' })
  },
)
