import { createTest } from 'greenhouse-mock/vitest'
import { sensorPlugin } from './sensors.ts'

const test = createTest({ plugins: [sensorPlugin()] })

const send = (url: string, method: string, body?: unknown) =>
  fetch(url, {
    method,
    headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

test.concurrent('a new sensor is listed', async ({ api, world, expect }) => {
  const created = await send(`${api.plantsUrl}/sensors/`, 'POST', { plant: 101 })
  expect(created.status).toBe(201)
  const listed = (await (await send(`${api.plantsUrl}/sensors/`, 'GET')).json()) as unknown[]
  expect(listed).toHaveLength(2)
  expect(world).toHaveReceived('sensors.create' as never, { times: 1 })
})

test.concurrent('a webhook hears of a plant that is dry, once', async ({ api, world, expect }) => {
  await send(`${api.appsUrl}/webhooks`, 'POST', {
    url: 'http://127.0.0.1:9/',
    events: ['sensor.dry'],
  })
  for (const moisture of [15, 10])
    await send(`${api.plantsUrl}/sensors/sensor_fern/readings`, 'POST', { moisture })
  await world.settled()
  expect(
    world.records.deliveries.find((delivery) => String(delivery.type) === 'sensor.dry'),
  ).toHaveLength(1)
  expect(world.records.sensors.get('sensor_fern')?.moisture).toBe(10)
})

test.concurrent('a client copes with a sensor that does not report', async ({
  api,
  world,
  expect,
}) => {
  world.use('dead-battery')
  expect(
    (await send(`${api.plantsUrl}/sensors/sensor_fern/readings`, 'POST', { moisture: 15 })).status,
  ).toBe(503)
})

test.concurrent('a plan that is spent refuses readings, too', async ({ api, world, expect }) => {
  world.use('rate-limited-plan')
  const refused = await send(`${api.plantsUrl}/sensors/sensor_fern/readings`, 'POST', {
    moisture: 15,
  })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.any(String)])
})
