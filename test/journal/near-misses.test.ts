import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createCaller } from '../support/test-api.ts'

// Hosts with paths of their own keep those that are near no area, so this is asked of the service itself.
function open() {
  const greenhouse = createGreenhouse()
  const call = createCaller((path, init) => greenhouse.fetch(new Request('http://greenhouse.test' + path, init)))
  return { world: greenhouse.world(), call }
}

const cases: [method: string, path: string, differs: 'method' | 'path', operations: string[]][] = [
  ['GET', '/plant', 'path', ['plants.list', 'plants.create']],
  ['POST', '/plant', 'path', ['plants.create', 'plants.list']],
  ['GET', '/Plants', 'path', ['plants.list', 'plants.create']],
  ['DELETE', '/plants/1/leaves', 'path', ['plants.delete']],
  ['PUT', '/plants', 'method', ['plants.create', 'plants.list']],
  ['GET', '/plants/1', 'method', ['plants.delete']],
  ['PUT', '/v1/apps/app_1', 'method', ['apps.get', 'apps.update', 'apps.delete']],
  ['GET', '/v1/app', 'path', ['apps.list', 'apps.create']],
  ['GET', '/v2/apps', 'path', ['apps.list', 'apps.create']],
  ['GET', '/apps', 'path', ['apps.list', 'apps.create']],
  ['POST', '/v1/plants', 'path', ['plants.create', 'plants.list']],
  ['DELETE', '/v1/plants/7', 'path', ['plants.delete']],
]

for (const [method, path, differs, operations] of cases)
  test(`${method} ${path} is unknown, with near misses in the journal: ${operations.join(', ')}`, async () => {
    const { world, call } = open()
    const answer = await call(method, path)
    const unknown = await call(
      method,
      path.startsWith('/v1') ? '/v1/nothing/like/it/at/all' : '/nothing/like/it/at/all',
    )
    const [entry, other] = world.journal.calls()
    expect(entry!.operation).toBeUndefined()
    expect(entry!.response.body).toBe(answer.text)
    const misses = entry!.near_misses!
    expect(misses[0]).toMatchObject({ differs, method: expect.any(String), path: expect.stringMatching(/^\//) })
    expect(misses.length).toBeLessThanOrEqual(3)
    expect(misses.map(({ operation }) => operation)).toEqual(expect.arrayContaining(operations))
    expect(answer.status).toBe(unknown.status)
    expect(Object.keys(answer.body)).toEqual(Object.keys(unknown.body))
    expect(answer.text).not.toContain('near')
    expect(other!.near_misses).toEqual([])
  })

test('the operation of the same method comes first', async () => {
  const { world, call } = open()
  for (const method of ['GET', 'POST']) await call(method, '/plant')
  expect(world.journal.calls().map((entry) => entry.near_misses![0]!.operation)).toEqual([
    'plants.list',
    'plants.create',
  ])
})

test('a request with an operation has no near misses, even when it failed', async () => {
  const { world, call } = open()
  await call('DELETE', '/plants/4242')
  expect(world.journal.calls()[0]).not.toHaveProperty('near_misses')
})

test('a path of any length is looked at in no time and without an error', async () => {
  const { world, call } = open()
  await call('GET', '/' + 'a/'.repeat(3_000))
  await call('GET', '/' + 'a'.repeat(8_000))
  expect(world.journal.calls().map((entry) => entry.near_misses)).toEqual([[], []])
})

test('a path that is like none has no near misses', async () => {
  const { world, call } = open()
  for (const path of ['/', '/foo', '/foo/1', '/v1', '/v1/people', '/users/1/apps']) await call('GET', path)
  expect(world.journal.calls().map((entry) => entry.near_misses)).toEqual([[], [], [], [], [], []])
})
