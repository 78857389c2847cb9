import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createHandlers } from 'greenhouse-mock/msw'
import { createGreenhouse } from 'greenhouse-mock'
import { createCaller, start } from '../support/test-api.ts'
import { verifies } from './receiver.ts'
import { createPlants, open, subscribe } from './open.ts'

/** A body of two chunks. @param at the length of the first, in bytes. */
const inTwoParts = (text: string, at: number) =>
  new ReadableStream({
    start(controller) {
      const bytes = new TextEncoder().encode(text)
      for (const part of [bytes.slice(0, at), bytes.slice(at)]) controller.enqueue(part)
      controller.close()
    },
  })

test('in MSW, handlers of the user catch deliveries to any host', async () => {
  const greenhouse = createGreenhouse({ now: start })
  const world = greenhouse.world()
  world.clock.freeze()
  world.clock.set(start)
  const got: { headers: Record<string, string>; body: string }[] = []
  const server = setupServer(
    ...createHandlers(greenhouse, { plants: 'https://plants.example.com', apps: 'https://api.example.com/v1' }),
    http.post('https://hooks.example.com/in', async ({ request }) => {
      got.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
      return new HttpResponse(inTwoParts('thänks', 3), { status: got.length === 1 ? 500 : 200 })
    }),
  )
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  const call = createCaller((path, init) =>
    fetch((path.startsWith('/v1') ? 'https://api.example.com' : 'https://plants.example.com') + path, init),
  )
  const webhook = await subscribe({ call }, 'https://hooks.example.com/in')
  await createPlants({ call }, 1)
  await world.settled()
  world.clock.advance('5s')
  await world.settled()
  expect(got).toHaveLength(2)
  expect(verifies(webhook.secret, got[0]!, Date.parse(start))).toBe(true)
  const { body } = await call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
  expect(body.data[0]).toMatchObject({
    status: 'succeeded',
    attempts: [
      { status: 500, response: 'thänks' },
      { status: 200, response: 'thänks' },
    ],
  })
})

test('a page follows no redirect, and reports one that it cannot inspect', async () => {
  const client = open()
  const answer = { type: 'opaqueredirect', status: 0, body: null } as Response
  const fetch = vi.spyOn(globalThis, 'fetch').mockResolvedValue(answer)
  onTestFinished(() => fetch.mockRestore())
  await subscribe(client, 'http://127.0.0.1:9/hook')
  await createPlants(client, 1)
  await client.world.settled()
  expect(client.world.records.deliveries.find(({ type }) => type === 'plant.created').at(-1)!.attempts).toMatchObject([
    { status: null, error: 'The receiver answered with a redirect, which is not followed.' },
  ])
})
