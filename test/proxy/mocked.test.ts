import { expect, test } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { inFrontOf, standInFront } from './in-front.ts'

test('--only forwards some operations, and the mock answers the others', async () => {
  const asked: string[] = []
  const { send, world } = await inFrontOf((request, response) => response.end(`"${asked.push(request.url!)}"`), {
    only: ['plants.*', 'apps.get'],
  })
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
  ['500', '/plants', 500, '', false],
])('--fallback mock answers %s, if the service lacks the operation', async (_, path, status, body, isMocked) => {
  const { send, world, target } = await inFrontOf(
    (__, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
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
  expect(entry!.reason).toMatch(`answered by the mock: ${target} does not have ${entry!.operation} (${status})`)
})

test('--fallback mock answers for a service that cannot be reached, under scenarios as ever', async () => {
  const plants = `http://127.0.0.1:${await findFreePort()}`
  const { send, world } = await standInFront({ plants, fallback: 'mock' })
  world.use('rate-limited-plan:remaining=2')
  world.use('every-third-fails')
  const statuses: number[] = []
  for (let count = 0; count < 4; count++) statuses.push((await send('/plants?limit=1')).status)
  expect(statuses).toEqual([200, 200, 500, 429])
  expect(world.journal.calls()[0]!.reason).toContain(`answered by the mock: ${plants} is unreachable: ECONNREFUSED`)
})
