import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
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

const ofArea = { error: { code: 'not_found', message: 'No such app.', request_id: 'req_1' } }

test.each([
  ['404 for an unknown path', '/plants', 404, 'Cannot GET /plants', true],
  ['404 for an unknown path with an id', '/v1/apps/app_1', 404, '<h1>Not found</h1>', true],
  ['405', '/plants', 405, '', true],
  ['501', '/v1/apps', 501, '{}', true],
  ['404 for a record', '/v1/apps/app_1', 404, JSON.stringify(ofArea), false],
  [
    '404 for a record in another shape',
    '/v1/apps/app_1',
    404,
    '{"detail":"App app_1 not found"}',
    false,
  ],
  ['500', '/plants', 500, '', false],
])(
  '--fallback mock answers %s, if the service lacks the operation',
  async (_, path, status, body, isMocked) => {
    const { send, world, target } = await inFrontOf(
      ({ url }, response) => {
        if (url === path)
          return response.writeHead(status, { 'content-type': 'application/json' }).end(body)
        return response
          .writeHead(404)
          .end(isMocked ? body.replace('/plants', url!) : 'There is no such path.')
      },
      { fallback: 'mock' },
    )
    const response = await send(path)
    const [entry] = world.journal.calls()
    if (!isMocked) {
      expect(await response.text()).toBe(body)
      expect(entry!.reason).toMatch(`answered by ${target}`)
      return
    }
    expect(await response.text()).not.toBe(body)
    expect(entry!.reason).toMatch(
      `answered by the mock: ${target} does not have ${entry!.operation} (${status})`,
    )
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

/** A service that has some operations, and answers as a framework does where it has none. */
const service = (
  found: (method: string, path: string) => string | undefined,
  asked: string[] = [],
) =>
  ((request, response) => {
    const { method, url } = request
    asked.push(`${method} ${url}`)
    const text = found(method!, url!)
    const json = { 'content-type': 'application/json' }
    if (text !== undefined)
      return response.writeHead(text.includes('"error"') ? 404 : 200, json).end(text)
    const id = randomUUID()
    return response
      .writeHead(404, json)
      .end(JSON.stringify({ title: `Cannot ${method} ${url}`, at: Date.now(), id }))
  }) as RequestListener

test('an operation that the service has is never mocked: what it deletes twice is gone', async () => {
  const asked: string[] = []
  // The mock has both, too.
  const [first, second] = createGreenhouse()
    .world()
    .records.plants.all()
    .map(({ id }) => id)
  let isThere = true
  const found = (method: string, path: string) => {
    if (method !== 'DELETE' || path !== `/plants/${first}`) return undefined
    const text = isThere ? '{}' : '{"error":"Plant 1 not found"}'
    isThere = false
    return text
  }
  const { send } = await inFrontOf(service(found, asked), { fallback: 'mock' })
  const statuses: number[] = []
  for (const id of [first, first, second])
    statuses.push((await send(`/plants/${id}`, { method: 'DELETE' })).status)
  // The last one is answered as a path is that nobody has, but the operation has succeeded.
  expect(statuses).toEqual([200, 404, 404])
  expect(asked).toEqual([first, first, second].map((id) => `DELETE /plants/${id}`))
})

test('the proxy asks a service once for its 404, and ignores ids and times in it', async () => {
  const asked: string[] = []
  const { send, world } = await inFrontOf(
    service((_, path) => (path === '/plants/5' ? '{"error":"No plant 5"}' : undefined), asked),
    { fallback: 'mock' },
  )
  const created = await send('/plants', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"id":6000,"name":"Ficus"}',
  })
  const read = await send('/plants?limit=1')
  const missing = await send('/plants/5', { method: 'DELETE' })
  expect([created.status, read.status, missing.status]).toEqual([200, 200, 404])
  expect(asked.filter((one) => one.includes('greenhouse'))).toHaveLength(2)
  expect(world.journal.calls()).toHaveLength(3)
})

test('the mock accepts the key that the service accepted, with an account of its own', async () => {
  const { send, world, greenhouse } = await inFrontOf(
    service((_, path) => (path.startsWith('/plants') ? '[]' : undefined)),
    { only: ['plants.*'] },
  )
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
