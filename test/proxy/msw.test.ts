import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createGreenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { answerUntilEnd } from '../support/listen.ts'
import { start } from '../support/test-api.ts'

/** A client that calls a real service at its own address, which MSW intercepts. */
async function intercept(
  app: Parameters<typeof answerUntilEnd>[0],
  options: GreenhouseOptions['proxy'] = {},
) {
  const plants = await answerUntilEnd(app)
  const bases = { plants, apps: `${plants}/v1` }
  const greenhouse = createGreenhouse({ now: start, trace: false, proxy: { ...bases, ...options } })
  const server = setupServer(...createHandlers(greenhouse, bases))
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  const send = (path: string, init: RequestInit = {}) =>
    fetch(plants + path, {
      ...init,
      headers: { authorization: 'Bearer real@shop', ...init.headers },
    })
  return { greenhouse, world: greenhouse.world('shop'), send, plants }
}

test('MSW answers from the real service, and scenarios act on its replies', async () => {
  const got: unknown[] = []
  const { send, world, plants } = await intercept((request, response) => {
    got.push([
      request.method,
      request.url,
      request.headers.authorization,
      request.headers['x-mark'],
    ])
    const coded = ['Content-Type', 'application/json', 'Content-Encoding', 'gzip']
    response.writeHead(200, [...coded, 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'])
    response.end(gzipSync('[{"name":"Ficus"}]'))
  })
  const response = await send('/plants?limit=2&a=%2F', { headers: { 'x-mark': '1' } })
  expect(await response.json()).toEqual([{ name: 'Ficus' }])
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(got).toEqual([['GET', '/plants?limit=2&a=%2F', 'Bearer real', '1']])
  world.use('malformed-plant:field=name,kind=null')
  expect(await (await send('/plants')).json()).toEqual([{ name: null }])
  world.use('expired-key')
  expect((await send('/plants', { method: 'POST', body: '{}' })).status).toBe(401)
  expect(got).toHaveLength(2)
  expect(world.journal.calls()[0]!.reason).toBe(`answered by ${plants}`)
  expect(() => world.use('empty-store')).toThrow('its effect "records" needs the state of the mock')
})

test('a quota of a scenario counts each key that only the service knows, as one of the best plan', async () => {
  const { send, world } = await intercept((_, response) => response.end('[]'))
  world.use({ quota: [{ window: 'minute', remaining: 1 }] })
  const statuses: number[] = []
  for (const key of ['real', 'real', 'another', 'key_free'])
    statuses.push(
      (await send('/plants', { headers: { authorization: `Bearer ${key}@shop` } })).status,
    )
  expect(statuses).toEqual([200, 429, 200, 200])
  expect(world.journal.calls({ status: 429 })[0]!.reason).toMatch(
    'minute quota of plan pro_plus spent: 600 of 600',
  )
  expect(world.records.accounts.all().map(({ id }) => id)).not.toContain('real')
})

test('under MSW, events come one by one, and what the service lacks can be mocked', async () => {
  let end = () => {}
  const { send } = await intercept(
    (request, response) => {
      if (request.url !== '/v1/apps') return response.writeHead(501).end()
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      end = () => response.end('data: 2\n\n')
      return response.write('data: 1\n\n')
    },
    { fallback: 'mock' },
  )
  const reader = (await send('/v1/apps')).body!.getReader()
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('data: 1\n\n')
  end()
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('data: 2\n\n')
  expect(
    (await send('/plants?limit=1', { headers: { authorization: 'Bearer key_pro' } })).status,
  ).toBe(200)
})

test('under MSW, an empty reply of a service that lacks the operation ends at once', async () => {
  let isEnded: Promise<unknown> | undefined
  const { send } = await intercept(
    (_, response) => {
      isEnded = once(response, 'close')
      response.writeHead(501).flushHeaders()
    },
    { fallback: 'mock' },
  )
  const mocked = await send('/plants', { headers: { authorization: 'Bearer key_pro' } })
  expect(mocked.status).toBe(200)
  await isEnded
})

test.each([
  [{ only: 'plant.*' }, 'Found no operation called "plant.*". Did you mean "plants.*"?'],
  [{ only: [] }, 'the option "proxy.only" names no operation'],
  [{ record: './recorded' }, 'Failed to record into a folder: that needs a server'],
])(
  'under MSW, wrong options fail each request, and never mean the mock: %j',
  async (options, message) => {
    const printed = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => printed.mockRestore())
    const { send } = await intercept((_, response) => response.end('[]'), options)
    for (let request = 0; request < 2; request++) {
      const response = await send('/plants')
      expect([response.status, await response.json()]).toEqual([
        500,
        expect.objectContaining({ message: expect.stringContaining(message) as string }),
      ])
    }
  },
)

test('without a server or MSW, the option is a mistake that says so', async () => {
  const greenhouse = createGreenhouse({ proxy: { plants: 'https://plants.test' } })
  await expect(greenhouse.fetch(new Request('http://a.test/plants'))).rejects.toThrow(
    'Failed to forward a request: the option "proxy" works with serve() of greenhouse-mock/server',
  )
})
