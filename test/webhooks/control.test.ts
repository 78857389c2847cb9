import { expect, test } from 'vitest'
import { createNodeTransport } from '../../src/node-http/webhook-transport.ts'
import { serve } from 'greenhouse-mock/server'
import { createFetchTransport } from '../../src/core/http/webhook-transport.ts'
import { createGreenhouse } from 'greenhouse-mock'
import { stateOf } from '../support/control.ts'
import { startReceiver } from './receiver.ts'
import { createPlants, open, subscribe } from './open.ts'

const message = { headers: { 'Content-Type': 'application/json' }, body: '{}' }
const never = new AbortController().signal

const spellings = [
  '/__greenhouse',
  '/__greenhouse/',
  '/__greenhouse?x',
  '/__greenhouse/worlds/default/reset',
  '/%5f_greenhouse/worlds/default/reset',
  '/%5F%5Fgreen%68ouse/worlds/default/reset',
  '/%255f_greenhouse/worlds/default/reset',
  '/%25255f_greenhouse/worlds/default/reset',
  '/__GREENHOUSE/worlds/default/reset',
  '//__greenhouse/worlds/default/reset',
  '/x/../__greenhouse/worlds/default/reset',
  '/x/%2e%2e/__greenhouse/worlds/default/reset',
  '/~default/__greenhouse/worlds/default/reset',
  '/mock/__greenhouse/worlds/default/reset',
  '/x%2f__greenhouse/worlds/default/reset',
  '/x\\__greenhouse/worlds/default/reset',
  '/x%5c__greenhouse/worlds/default/reset',
  '/__greenhouse;a=1/worlds/default/reset',
]

const transports = {
  'a server': () => createNodeTransport(['hooks.example']),
  fetch: () => createFetchTransport(['hooks.example'], () => false),
  'fetch under MSW': () => createFetchTransport([], () => true),
}

test.each(Object.entries(transports))(
  '%s sends nothing to a control API, however it is spelt and wherever it is',
  async (_name, create) => {
    for (const origin of ['http://127.0.0.1:4010', 'http://localhost.:4010', 'https://hooks.example', 'http://[::1]:1'])
      for (const path of spellings)
        await expect(create().send({ url: origin + path, ...message }, never), origin + path).rejects.toThrow(
          'Blocked: the control API of a Greenhouse does not accept webhooks.',
        )
  },
)

test('paths that only resemble it are delivered to', async () => {
  const receiver = await startReceiver()
  const { origin } = new URL(receiver.url)
  const paths = [
    '/__greenhouses',
    '/_greenhouse',
    '/hook/__greenhouse-2',
    '/hook?to=/__greenhouse',
    '/%zz/%',
    '/100%25',
  ]
  for (const create of Object.values(transports))
    for (const path of paths) expect((await create().send({ url: origin + path, ...message }, never)).status).toBe(200)
  expect(receiver.received).toHaveLength(paths.length * 3)
})

test('without a server a webhook can not reach the control API of one on this machine', async () => {
  const other = createGreenhouse()
  await using server = await serve(other)
  other.world().use('expired-key')
  const before = stateOf(other)
  const client = open({ assumptions: { 'webhooks.retries': 'none' } })
  const urls = [
    `${server.url}/__greenhouse/worlds/default/reset`,
    `http://localhost:${server.port}/%5f_greenhouse/worlds/default/reset`,
  ]
  const ids: string[] = []
  for (const url of urls) ids.push((await subscribe(client, url)).id)
  await createPlants(client, 1)
  await client.world.settled()
  for (const id of ids)
    expect((await client.call('GET', `/v1/webhooks/${id}/deliveries`)).body.data[0].attempts[0]).toMatchObject({
      status: null,
      error: expect.stringContaining('control API'),
    })
  expect(stateOf(other)).toEqual(before)
})

test('a redirect to the control API is not followed', async () => {
  const other = createGreenhouse()
  await using server = await serve(other)
  other.world().use('expired-key')
  const receiver = await startReceiver(() => ({
    status: 307,
    headers: { location: `${server.url}/__greenhouse/worlds/default/reset` },
  }))
  for (const create of [transports['a server'], transports['fetch']]) {
    const { status } = await create()
      .send({ url: receiver.url, ...message }, never)
      .catch((error: Error) => ({ status: error.message }))
    expect(String(status)).toMatch(/307|redirect/)
  }
  expect(other.world().active).toHaveLength(1)
})
