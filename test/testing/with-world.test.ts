import { expect, test } from 'vitest'
import { replayCase, type World } from 'greenhouse-mock'
import { loadCase } from 'greenhouse-mock/node'
import { createWithWorld, withWorld } from 'greenhouse-mock/testing'
import { root } from '../package/packed.ts'
import { expectOutput } from '../support/output.ts'
import { startProcess } from '../support/process.ts'

const headers = { authorization: 'Bearer key_lite', 'content-type': 'application/json' }
const addPlant = (base: string, id = 1001) =>
  fetch(`${base}/plants`, { method: 'POST', headers, body: `{"id":${id},"name":"Ficus"}` })
const listPlants = async (base: string) => (await fetch(`${base}/plants`, { headers })).json()

function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

test('tests that run at the same time have a world each, and all are gone afterwards', async () => {
  const names = new Set<string>()
  const inWorld = createWithWorld()
  let shared: { worlds(): string[] } | undefined
  const run = inWorld(async ({ world, api, greenhouse }) => {
    shared = greenhouse
    names.add(world.name)
    expect(await listPlants(api.plantsUrl)).toEqual([])
    await addPlant(api.plantsUrl)
    expect(await listPlants(api.plantsUrl)).toHaveLength(1)
    expect(world.journal.calls()).toHaveLength(3)
  })
  await Promise.all([run(), run(), run()])
  expect(names.size).toBe(3)
  expect(shared!.worlds()).toEqual(['default'])
})

test('one server serves all tests of a process, each in a fresh world, and lets the process exit', async () => {
  const args = ['--input-type=module', '--eval', twoTests]
  const { code, stdout, stderr } = await startProcess(process.execPath, args, { cwd: root }).ended
  const [first, second] = JSON.parse(stdout)
  expect([code, stderr, first]).toEqual([0, '', { origin: first.origin, worlds: 2, plants: 0 }])
  expect(second).toEqual(first)
})

/** Each test leaves a kept connection, a world that it made, and a plant in the world `default`. */
const twoTests = `
import { createWithWorld } from 'greenhouse-mock/testing'
const headers = { authorization: 'Bearer key_lite', 'content-type': 'application/json' }
const seen = []
const run = createWithWorld({ strict: false })(async ({ api, greenhouse }) => {
  const { origin } = new URL(api.plantsUrl)
  const worlds = greenhouse.worlds().length
  const plants = (await (await fetch(origin + '/plants', { headers })).json()).length
  await fetch(origin + '/plants', { method: 'POST', headers, body: '{"id":1001,"name":"Ficus"}' })
  greenhouse.world('other')
  seen.push({ origin, worlds, plants })
})
await run()
await run()
console.log(JSON.stringify(seen))
`

test('the error of a failing test lists the requests of its world, and why they failed', async () => {
  const failure = new Error('as it did')
  const run = withWorld(async ({ api, world }) => {
    world.use('server-error')
    await fetch(`${api.appsUrl}/apps`, { headers })
    await fetch(`${api.plantsUrl}/plant`, { headers })
    throw failure
  })
  await expect(run()).rejects.toBe(failure)
  expect(failure.message).toMatch(
    /^as it did\n\nGreenhouse world .*-t\d+: 2 requests\n {2}GET \/v1\/apps 500 apps\.list \[server-error\]\n {6}scenario server-error answered instead\n {2}GET \/plant 404 \(no operation\)\n {6}There is no path \/plant\. Did you mean GET, POST \/plants or GET \/v1\/plans\?\n {2}All of it, to play again: npx greenhouse-mock case show (.*\.case\.yaml)$/,
  )
  expect(failure.stack).toMatch(/\.case\.yaml\n    at /)
  const { greenhouse, requests, differences } = await replayCase(
    loadCase(/show (.*)$/.exec(failure.message)![1]!),
  )
  expect([requests, differences]).toEqual([2, []])
  greenhouse.close()
})

test('the last 20 of many requests are listed', async () => {
  const run = withWorld(async ({ api }) => {
    for (let count = 0; count < 23; count++)
      await fetch(`${api.plantsUrl}/plants?limit=${count}`, { headers })
    throw new Error('as it did')
  })
  const { message } = (await run().catch((error: unknown) => error)) as Error
  expect(message).toContain(': 23 requests\n  … 3 more\n  GET /plants?limit=3 ')
  expect(message).not.toContain('limit=2 ')
})

test('a thrown value that is no error stays, and the requests are printed', async () => {
  const frozen = Object.freeze(new Error('as it did'))
  for (const thrown of ['as it did', frozen, undefined]) {
    const run = withWorld(() => {
      throw thrown
    })
    await expect(run()).rejects.toBe(thrown)
    expectOutput(
      /^console\.error: Greenhouse world .*-t\d+: 0 requests\n {2}Does the .* What a browser blocks/,
    )
  }
})

test.each<[what: string, fails: (world: World) => unknown, isAsked: boolean]>([
  ['an assertion', () => expect(0).toBe(1), true],
  ['a fetch that fails', () => Promise.reject(new TypeError('fetch failed')), true],
  ['an unknown scenario', (world) => world.use('slw' as 'slow'), false],
  ['a mistake in its code', () => (undefined as any).plants, false],
])('a test without requests that fails by %s', async (_, fails, isAsked) => {
  const { message } = await withWorld(({ world }) => fails(world))().catch((error) => error)
  expect(message).toContain(': 0 requests')
  expect(message.includes('Does the client call the URLs')).toBe(isAsked)
})

test('a request that names no world fails the test, and does nothing', async () => {
  const run = withWorld(async ({ api }) => {
    expect((await addPlant(new URL(api.plantsUrl).origin)).status).toBe(400)
  })
  await expect(run()).rejects.toThrow(
    /astray.*\n.*POST http:\/\/127\.0\.0\.1:\d+\/plants names no world/,
  )
  await withWorld(async () => undefined)()
})

test('a request that comes after its test ended fails those that run', async () => {
  const inWorld = createWithWorld()
  let former = ''
  const { promise: ended, resolve: hasEnded } = withResolvers()
  const running = inWorld(async () => {
    await ended
    await addPlant(former)
  })()
  await inWorld(({ api }) => void (former = api.plantsUrl))()
  hasEnded()
  await expect(running).rejects.toThrow(/came after the end of the test that had the world/)
})

test('a reply that ends after its test is no stray request', async () => {
  const inWorld = createWithWorld()
  let reply: Promise<Response> | undefined
  const { promise: started, resolve: hasStarted } = withResolvers()
  const running = inWorld(async () => {
    await started
    await reply?.catch(() => undefined)
  })()
  await inWorld(async ({ api, world }) => {
    world.use('slow', { ms: 300 })
    reply = fetch(`${api.plantsUrl}/plants`, { headers: { authorization: 'Bearer key_pro' } })
    await expect.poll(() => world.journal.size).toBe(1)
  })()
  hasStarted()
  await running
})

test('with strict: false, what names no world reaches the world default', async () => {
  const inWorld = createWithWorld({ strict: false })
  await inWorld(async ({ api, greenhouse }) => {
    expect((await addPlant(new URL(api.plantsUrl).origin)).status).toBe(200)
    expect(greenhouse.world().journal.calls()).toHaveLength(1)
  })()
})

test('with base URLs, MSW answers there while a test runs', async () => {
  const bases = { plants: 'https://plants.example.com', apps: 'https://api.example.com/v1' }
  const inWorld = createWithWorld({ ...bases, now: '2026-01-31T18:00:00Z' })
  await inWorld(async ({ api, world }) => {
    const reply = await fetch(`${bases.plants}/plants`, {
      headers: { authorization: `Bearer ${api.key('key_pro')}` },
    })
    expect(reply.status).toBe(200)
    expect(world.journal.calls()).toHaveLength(1)
  })()
  const run = inWorld(async () => void (await fetch(`${bases.plants}/plants`, { headers })))
  await expect(run()).rejects.toThrow(/GET https:\/\/plants\.example\.com\/plants names no world/)
  const strictly = createWithWorld({ ...bases, strict: { operation: undefined } })
  const astray = strictly(
    async ({ api }) => void (await fetch(`${api.plantsUrl}/plnts`, { headers })),
  )
  await expect(astray()).rejects.toThrow(/\/plnts: no operation has this method and path/)
})

test('arguments of the runner come after the world, and `this` stays', async () => {
  const seen: unknown[] = []
  const body = withWorld(async function (this: unknown, { world }, row: string, more: number) {
    seen.push(this, world.name, row, more)
  })
  expect(body, 'runners take a parameter for a callback').toHaveLength(0)
  const self = { test: { title: 'Lists plants' } }
  await body.call(self, 'a', 2)
  expect(seen).toEqual([self, expect.stringMatching(/^lists-plants-t\d+$/), 'a', 2])
})

test('an option that there is not is rejected at once', () => {
  expect(() => createWithWorld({ plnts: 'https://a.example' } as object)).toThrow(
    /plnts.*Did you mean "plants"/,
  )
})

test('a mistake in the options of the Greenhouse fails the test, and the next one', async () => {
  const inWorld = createWithWorld({ use: ['expired-kay' as never] })
  const run = inWorld(() => undefined)
  await expect(run()).rejects.toThrow(/expired-kay.*expired-key/)
  await expect(run()).rejects.toThrow(/expired-kay.*expired-key/)
})
