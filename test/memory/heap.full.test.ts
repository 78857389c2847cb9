import { expect, test } from 'vitest'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { setupServer } from 'msw/node'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { drain, key, openSocket, toRequest } from '../support/socket.ts'
import { times } from '../support/soak.ts'
import { open } from '../support/test-api.ts'
import { heapInUse } from './heap.ts'

const megabyte = 2 ** 20

/** Returns the number of plants that fit. */
function fill(limit: number, name: (number: number) => string): number {
  const greenhouse = createGreenhouse({ memory: limit })
  const { plants } = greenhouse.world().records
  const before = heapInUse()
  let count = 0
  try {
    for (; ; count++) plants.create({ id: 10_000 + count, name: name(count), account: 'acct_pro' })
  } catch (error) {
    expect((error as Error).name).toBe('DataMemoryError')
  }
  const held = heapInUse() - before
  expect(plants.count()).toBe(30 + count)
  expect(held).toBeLessThan(1.5 * limit)
  expect(held).toBeGreaterThan(limit / 2)
  return count
}

// Other work of the process affects the measurement, so the test may retry.
test('the estimate of small records is about their memory', { retry: 2 }, () => {
  expect(fill(16 * megabyte, (number) => `Plant ${number}`)).toBeGreaterThan(10_000)
})

test('the estimate of records with long texts is about their memory', { retry: 2 }, () => {
  const name = (number: number) =>
    `${number} ${'x'.repeat(100_000)}`.replace('x', 'y').split('').join('')
  expect(fill(16 * megabyte, name)).toBeGreaterThan(100)
})

test('the estimate of texts beyond Latin-1 is about their memory', { retry: 2 }, () => {
  const name = (number: number) =>
    Array.from({ length: 20_000 }, () => String.fromCharCode(0x4e00 + (number % 100))).join('')
  expect(fill(16 * megabyte, name)).toBeGreaterThan(100)
})

const request = () =>
  new Request('http://x/v1/apps', { headers: { authorization: 'Bearer key_pro' } })

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
    const server = setupServer(
      ...createHandlers(greenhouse, { plants: 'http://x.test', apps: 'http://x.test/v1' }),
    )
    server.listen({ onUnhandledRequest: 'bypass' })
    await (
      await fetch('http://x.test/v1/apps', { headers: { authorization: 'Bearer key_pro' } })
    ).text()
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

test('a referenced Greenhouse stays in memory, with its due work', async () => {
  const greenhouse = createGreenhouse()
  const alive = new WeakRef(greenhouse)
  const done = new Promise<void>((resolve) =>
    greenhouse.world().clock.schedule(Date.now() + 50, resolve),
  )
  heapInUse()
  await done
  heapInUse()
  expect(alive.deref()).toBe(greenhouse)
})

// Other work of the process affects the measurement, so the test may retry.
test(
  'pages of long records that were asked for take no memory that lasts',
  { retry: 2 },
  async () => {
    const { call } = open({ journal: { entries: 1 } })
    for (let id = 1_000; id < 1_008; id++)
      expect(
        (await call('POST', '/plants', { body: { id, name: 'x'.repeat(900_000) } })).status,
      ).toBe(200)
    const before = heapInUse()
    for (let limit = 1; limit <= 21; limit++)
      expect((await call('GET', `/plants?limit=${limit}`)).status).toBe(200)
    await call('GET', '/plants?limit=0')
    expect(heapInUse() - before).toBeLessThan(20 * 2 ** 20)
  },
)

test('pages in thousands of worlds take no more than they may together', { retry: 2 }, async () => {
  const { call } = open({ journal: { entries: 1 } })
  const name = 'x'.repeat(10_000)
  for (let number = 0; number < 300; number++)
    await call('POST', `/~w${number}/plants`, { body: { id: 1_000, name } })
  const before = heapInUse()
  for (let limit = 15; limit < 20; limit++)
    for (let number = 0; number < 300; number++)
      expect((await call('GET', `/~w${number}/plants?limit=${limit}`)).status).toBe(200)
  expect(heapInUse() - before).toBeLessThan(24 * 2 ** 20)
})

test('a log that shows long URLs of many worlds keeps few of them', async () => {
  const worlds = 1_000
  const grown = async (logs: boolean) => {
    const greenhouse = createGreenhouse({ memory: 2 ** 25 })
    let shown = 0
    if (logs) greenhouse.subscribe(({ request }) => (shown += request.url.length))
    const before = heapInUse()
    for (let world = 0; world < worlds; world++)
      await greenhouse.fetch(
        new Request(`http://x/~w${world}/plants?x=${world}${'y%41'.repeat(3_500)}`),
      )
    const bytes = heapInUse() - before
    expect(greenhouse.worlds().length).toBe(worlds + 1)
    if (logs) expect(shown).toBeGreaterThan(worlds * 10_000)
    return bytes
  }
  await grown(true)
  // They took 14 KB each, twice.
  expect((await grown(true)) - (await grown(false))).toBeLessThan(10 * 2 ** 20)
})
