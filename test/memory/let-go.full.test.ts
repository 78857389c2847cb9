import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { drain, key, openSocket, toRequest } from '../support/socket.ts'
import { times } from '../support/soak.ts'
import { heapInUse } from './heap.ts'

const request = () => new Request('http://x/v1/apps', { headers: { authorization: 'Bearer key_pro' } })

/** Uses of a Greenhouse that is then dropped without `close`. */
const uses: Record<string, (greenhouse: Greenhouse) => Promise<unknown>> = {
  'answered a request': async (greenhouse) => (await greenhouse.fetch(request())).text(),
  'has work due on a running clock': async (greenhouse) =>
    greenhouse.world().clock.schedule(Date.now() + 3_600_000, () => undefined),
  'was served': async (greenhouse) => {
    const server = await serve(greenhouse)
    const socket = await openSocket(server.port)
    socket.write(toRequest('GET /v1/apps', [key]))
    await drain(socket)
    await server.close()
  },
  'answered through MSW': async (greenhouse) => {
    const server = setupServer(...createHandlers(greenhouse, { plants: 'http://x.test', apps: 'http://x.test/v1' }))
    server.listen({ onUnhandledRequest: 'bypass' })
    await (await fetch('http://x.test/v1/apps', { headers: { authorization: 'Bearer key_pro' } })).text()
    server.close()
  },
}

const count = times(2_000, 60)

for (const [what, use] of Object.entries(uses))
  test(`a Greenhouse that ${what} is freed once nobody has it`, async () => {
    const repeat = async (times: number) => {
      for (let time = 0; time < times; time++) await use(createGreenhouse())
      await new Promise((resolve) => setTimeout(resolve, 50))
      return heapInUse()
    }
    const before = await repeat(20)
    // One that stays takes 37 KiB at least.
    expect(((await repeat(count)) - before) / count).toBeLessThan(12 * 1_024)
  })

test('a Greenhouse that somebody has stays, with what is due in it', async () => {
  const greenhouse = createGreenhouse()
  const alive = new WeakRef(greenhouse)
  const done = new Promise<void>((resolve) => greenhouse.world().clock.schedule(Date.now() + 50, resolve))
  heapInUse()
  await done
  heapInUse()
  expect(alive.deref()).toBe(greenhouse)
})
