import { expect, onTestFinished, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { connect } from 'greenhouse-mock/client'
import { greenhouseMatchers, type GreenhouseAssertions } from 'greenhouse-mock/matchers'
import { serve } from 'greenhouse-mock/server'

expect.extend(greenhouseMatchers)

declare module 'vitest' {
  interface Matchers<T> extends GreenhouseAssertions<T> {}
}

async function serveOne(entries?: number) {
  const greenhouse = createGreenhouse({ seed: 1, ...(entries && { journal: { entries } }) })
  const server = await serve(greenhouse)
  onTestFinished(() => server.close())
  const post = (body: object) =>
    fetch(`${server.url}/plants`, {
      method: 'POST',
      headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    local: greenhouse.world(),
    remote: (await connect(server.url)).world(),
    post,
    url: server.url,
  }
}

/** The message of a failed assertion; undefined when it holds. */
const messageOf = (run: () => unknown) =>
  Promise.resolve()
    .then(run)
    .then(
      () => undefined,
      (error: Error) => error.message,
    )

test('the matchers say of a world on a server what they say of one in process', async () => {
  const { local, remote, post, url } = await serveOne()
  const nothing = [
    await messageOf(() => expect(remote).not.toHaveReceivedNothing()),
    await messageOf(() => expect(local).not.toHaveReceivedNothing()),
  ]
  expect(nothing[0]).toBe(nothing[1])
  await expect(remote).toHaveReceivedNothing()
  await post({ id: 7, name: 'Fern' })
  await post({ id: 8, name: 'Ficus', extra: 1 })
  await fetch(`${url}/v1/apps?limti=2`)
  const checks: readonly ((world: object) => unknown)[] = [
    (world) => expect(world).toHaveReceived('plants.create', { times: 2 }),
    (world) => expect(world).toHaveReceived('plants.create', { times: 1 }),
    (world) => expect(world).toHaveReceived('plants.create', { body: { name: 'Fren' } }),
    (world) =>
      expect(world).toHaveReceived('plants.create', { body: { name: expect.any(Number) } }),
    (world) => expect(world).toHaveReceived({ method: 'GET', path: '/v1/*', status: 401 }),
    (world) => expect(world).toHaveReceived('plants.list', { key: 'key_pro' }),
    (world) => expect(world).toHaveReceived('plants.create', { key: 'key_free' }),
    (world) => expect(world).toHaveReceived('plants.lits' as never),
    (world) => expect(world).toHaveReceived('plants.create', { tiems: 1 } as never),
    (world) => expect(world).not.toHaveReceived('plants.create'),
    (world) => expect(world).toHaveNoViolations(),
    (world) =>
      expect(world).toHaveNoViolations({ operation: 'plants.create', ignore: ['unknown-field'] }),
    (world) => expect(world).toHaveReceivedInOrder(['plants.create', 'apps.list']),
    (world) => expect(world).toHaveReceivedInOrder(['apps.list', 'plants.create']),
    (world) => expect(world).toHaveReceivedNothing(),
  ]
  for (const check of checks)
    expect(await messageOf(() => check(remote))).toBe(await messageOf(() => check(local)))
  expect(await messageOf(() => checks[2]!(remote))).toContain(
    'body/name: expected "Fren", got "Fern"',
  )
})

test('the matchers ask the server what its journal has dropped', async () => {
  const { local, remote, post, url } = await serveOne(2)
  for (let id = 0; id < 3; id++) await post({ id: 7_000 + id, name: 'Fern' })
  await fetch(`${url}/v1/apps`)
  const gone = (world: object) =>
    expect(world).not.toHaveReceived('plants.create', { body: { name: 'x' } })
  expect(await messageOf(() => gone(remote))).toMatch(
    "The journal can't tell whether this was ever called",
  )
  expect(await messageOf(() => gone(remote))).toBe(await messageOf(() => gone(local)))
  await expect(remote).not.toHaveReceived('apps.create')
})

test('a world on a server is asked for any operation, key and account, and for none', async () => {
  const { url, remote: far } = await serveOne()
  await fetch(`${url}/plants`, { headers: { authorization: 'Bearer key_pro' } })
  await fetch(`${url}/v1/appz`)
  for (const field of ['operation', 'key', 'account'])
    for (const [wanted, found] of [
      [true, ['/plants']],
      [false, ['/v1/appz']],
    ] as const) {
      const calls = await far.journal.calls({ [field]: wanted })
      expect([field, calls.map(({ request }) => request.url)]).toEqual([field, found])
    }
})
