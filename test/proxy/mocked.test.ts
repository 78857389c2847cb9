import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { inFrontOf, standInFront } from './in-front.ts'

test('--only forwards some operations, and the mock answers the others', async () => {
  const asked: string[] = []
  const { send, world } = await inFrontOf(
    (request, response) => response.end(`"${asked.push(request.url!)}"`),
    {
      only: ['plants.*', 'apps.get'],
    },
  )
  world.use('empty-store')
  expect(await (await send('/plants')).text()).toBe('"1"')
  expect((await send('/v1/apps')).status).toBe(200)
  expect((await send('/plantz')).status).toBe(404)
  await send('/v1/apps/app_1')
  expect(asked).toEqual(['/plants', '/v1/apps/app_1'])
  expect(world.journal.calls().map(({ reason }) => reason!.startsWith('answered by'))).toEqual([
    true,
    false,
    false,
    true,
  ])
})

test('an area without a target is mocked', async () => {
  const { send } = await standInFront({ apps: 'http://127.0.0.1:9/v1' })
  expect((await send('/plants')).status).toBe(200)
  expect((await send('/v1/apps')).status).toBe(502)
})

test.each([
  ['404 where the path names no record', 'GET', '/plants', 404, true],
  ['405', 'GET', '/plants', 405, true],
  ['405 where the path names a record', 'DELETE', '/plants/1', 405, true],
  ['501', 'GET', '/v1/apps', 501, true],
  ['404 where the path names a record', 'DELETE', '/plants/1', 404, false],
  ['404 where a body may name a record', 'POST', '/plants', 404, false],
  ['500', 'GET', '/plants', 500, false],
])(
  '--fallback mock answers only if the service lacks the operation: %s',
  async (_, method, path, status, isMocked) => {
    const asked: string[] = []
    const { send, world, target } = await inFrontOf(
      (request, response) => {
        asked.push(`${request.method} ${request.url}`)
        response.writeHead(status, { 'content-type': 'application/json' }).end('"of the service"')
      },
      { fallback: 'mock' },
    )
    const response = await send(path, { method })
    const [entry] = world.journal.calls()
    expect((await response.text()) === '"of the service"').toBe(!isMocked)
    expect(entry!.reason).toMatch(
      isMocked
        ? `answered by the mock: ${target} does not have ${entry!.operation} (${status})`
        : `answered by ${target}`,
    )
    expect(asked).toEqual([`${method} ${path}`])
  },
)

test.each([
  ['sends and sends', (response: ServerResponse) => void response.write('a reply without an end')],
  ['says nothing more', (response: ServerResponse) => response.flushHeaders()],
])(
  '--fallback mock ends at once the reply of a service that lacks the operation, and %s',
  async (_, answer) => {
    let end = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    const { send, world } = await inFrontOf(
      (_, response) => {
        response.once('close', end)
        answer(response.writeHead(501))
      },
      { fallback: 'mock' },
    )
    world.use({ fault: [{ on: 'plants.list', kind: 'delay', fixed: '1h' }] })
    const reply = send('/plants')
    await ended
    world.clock.advance('1h')
    expect((await reply).status).toBe(200)
  },
)

test('--fallback mock answers for a service that cannot be reached, under scenarios as ever', async () => {
  const plants = `http://127.0.0.1:${await findFreePort()}`
  const { send, world } = await standInFront({ plants, fallback: 'mock' })
  world.use('rate-limited-plan:remaining=2')
  world.use('every-third-fails')
  const statuses: number[] = []
  for (let count = 0; count < 4; count++) statuses.push((await send('/plants?limit=1')).status)
  expect(statuses).toEqual([200, 200, 500, 429])
  expect(world.journal.calls()[0]!.reason).toContain(
    `answered by the mock: ${plants} is unreachable: ECONNREFUSED`,
  )
})

test('an operation that has succeeded is never mocked', async () => {
  let count = 0
  const { send } = await inFrontOf(
    (_, response) => response.writeHead(count++ === 0 ? 200 : 404).end('[]'),
    { fallback: 'mock' },
  )
  const statuses: number[] = []
  for (let sent = 0; sent < 2; sent++) statuses.push((await send('/plants')).status)
  expect(statuses).toEqual([200, 404])
})

test('the mock accepts the key that the service accepted, with an account of its own', async () => {
  const { send, world, greenhouse } = await inFrontOf((_, response) => response.end('[]'), {
    only: ['plants.*'],
  })
  const headers = { authorization: 'Bearer sk_real_1' }
  const json = { ...headers, 'content-type': 'application/json' }
  expect((await send('/v1/apps', { headers })).status).toBe(401)
  await send('/plants', { headers })
  const created = await send('/v1/apps', { method: 'POST', headers: json, body: '{"name":"mine"}' })
  expect(created.status).toBe(201)
  const { data } = (await (await send('/v1/apps', { headers })).json()) as {
    data: { name: string }[]
  }
  expect(data.map(({ name }) => name)).toEqual(['mine'])
  expect(world.journal.calls({ operation: 'apps.create' })[0]!.account).toBe('acct_service_1')
  expect((await send('/v1/apps', { headers: { authorization: 'Bearer sk_other' } })).status).toBe(
    401,
  )
  expect((await send('/~shop/v1/apps', { headers })).status).toBe(200)
  expect(JSON.stringify(greenhouse.world().records.keys.all())).not.toContain('sk_real_1')
})
