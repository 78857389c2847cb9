import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { own } from '../helpers.ts'

const refusal =
  'Failed to use the scenario "connection-reset": MSW can\'t produce the fault "reset", which needs a connection of its own. Use serve()'

const breaks = own({ fault: [{ kind: 'reset' }] })

/** A Greenhouse behind MSW with a scenario that is active. */
function createBehindMsw() {
  const greenhouse = createGreenhouse()
  createHandlers(greenhouse)
  const world = greenhouse.world()
  world.use('server-error')
  return { greenhouse, world }
}

test('a fault that MSW cannot produce is refused in code, and the active scenarios stay', () => {
  const { greenhouse, world } = createBehindMsw()
  expect(() => world.use('connection-reset')).toThrow(refusal)
  expect(() => world.useOnly(['slow', 'connection-reset'])).toThrow(refusal)
  expect(() => world.reset({ scenarios: ['connection-reset'] })).toThrow(refusal)
  expect(() => greenhouse.world('another').use('connection-reset')).toThrow(refusal)
  const reset = { title: 'gone', fault: [{ kind: 'reset', on: 'apps.*' }] } as const
  const inline = refusal.replace('connection-reset', 'inline-gone')
  expect(() => world.use(reset)).toThrow(inline)
  expect(() => createHandlers(createGreenhouse({ use: [reset] }))).toThrow(inline)
  expect(world.scenarios).toEqual(['server-error'])
  world.use('network-error')
  world.use('timeout')
})

test('handlers are refused where such a scenario is active already, or will be in every world', () => {
  expect(() => createHandlers(createGreenhouse({ use: ['connection-reset'] }))).toThrow(refusal)
  const greenhouse = createGreenhouse()
  greenhouse.world('somewhere').use('connection-reset')
  expect(() => createHandlers(greenhouse)).toThrow(refusal)
  greenhouse.world('somewhere').clear()
  createHandlers(greenhouse)
})

test('a scenario whose file turns into one stays as it was where it is active', () => {
  const greenhouse = createGreenhouse({ scenarios: own({ respond: [{ status: 418 }] }) })
  createHandlers(greenhouse)
  greenhouse.world().use('own')
  const kept = greenhouse.reload({ scenarios: breaks })
  expect(kept).toEqual({
    records: [],
    scenarios: [
      {
        world: 'default',
        scenario: 'own',
        reason: expect.stringContaining('MSW can\'t produce the fault "reset"'),
      },
    ],
  })
  expect(() => greenhouse.world('new').use('own')).toThrow('MSW can\'t produce the fault "reset"')
})

test('a file that every world starts with can not come to hold one', () => {
  const greenhouse = createGreenhouse({
    scenarios: own({ respond: [{ error: 'internal_error' }] }),
    use: ['own'],
  })
  createHandlers(greenhouse)
  expect(() => greenhouse.reload({ scenarios: breaks })).toThrow(
    `"own": MSW can't produce the fault "reset"`,
  )
  expect(greenhouse.world('new').scenarios).toEqual(['own'])
})

test('a restore that is refused changes no data', async () => {
  const greenhouse = createGreenhouse({ scenarios: breaks })
  const world = greenhouse.world()
  world.use('own')
  world.snapshot('broken')
  world.clear()
  await world.records.plants.create({ id: 5_000, name: 'Fern', account: 'acct_pro' })
  createHandlers(greenhouse)
  expect(() => world.restore('broken')).toThrow(`MSW can't produce the fault "reset"`)
  expect(world.records.plants.get(5_000)).toBeDefined()
  expect(world.scenarios).toEqual([])
})

test('no control call switches one on, and a world that it would have made is not made', async () => {
  const greenhouse = createGreenhouse({ scenarios: breaks })
  greenhouse.world().use('own')
  greenhouse.world().snapshot('broken')
  greenhouse.world().clear()
  createHandlers(greenhouse)
  await using server = await serve(greenhouse)
  for (const [method, path, body] of [
    ['PUT', 'default', { scenarios: ['own'] }],
    ['PUT', 'new', { scenarios: ['own'] }],
    ['PUT', 'new/scenarios', { active: ['own'] }],
    ['POST', 'default/snapshots/broken/restore', undefined],
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${server.url}/__greenhouse/worlds/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    expect({ status: response.status, body: await response.json() }, path).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'unsupported_fault',
          message: expect.stringContaining(`MSW can't produce the fault`),
        },
      },
    })
  }
  expect(greenhouse.worlds()).toEqual(['default'])
  expect(greenhouse.world().scenarios).toEqual([])
})

/** Sends a request that is never answered to the handlers, as MSW does. */
function sendToHandlers(init: RequestInit & { raw?: object }) {
  const greenhouse = createGreenhouse({ use: ['timeout'] })
  const request = new Request('http://plants.test/plants', init)
  if (init.raw) Object.assign(request, { [Symbol('kRawRequest')]: init.raw })
  const handler = createHandlers(greenhouse, { plants: 'http://plants.test' }).at(-1)
  const replied = handler!.run({ request, requestId: 'one' }) as Promise<{ response?: Response }>
  return { greenhouse, replied, calls: () => greenhouse.world().journal.calls() }
}

test.each<[client: string, raw: object, leave: () => unknown]>([
  ((raw) => ['node:http', raw, () => raw.emit('close')])(new EventEmitter()),
  ((raw) => ['XMLHttpRequest', raw, () => raw.dispatchEvent(new Event('loadend'))])(
    new EventTarget(),
  ),
])('a client of %s that leaves ends its request in MSW', async (_, raw, leave) => {
  const { replied, calls } = sendToHandlers({ raw })
  await expect.poll(() => calls().length).toBe(1)
  leave()
  expect((await replied).response!.type).toBe('error')
  expect(calls()).toMatchObject([{ aborted: true, response: { status: 0 } }])
})

test('a request over a socket in front of the handlers stays without a reply, others fail', async () => {
  for (const headers of [{ host: 'plants.test' }, {}] as HeadersInit[]) {
    const control = new AbortController()
    const { replied, calls } = sendToHandlers({ headers, signal: control.signal })
    await expect.poll(() => calls().length).toBe(1)
    control.abort()
    const pause = new Promise((resolve) => setTimeout(resolve, 20, 'nothing'))
    const reply = await Promise.race([replied.then(({ response }) => response!.type), pause])
    expect(reply).toBe('host' in headers ? 'nothing' : 'error')
  }
})

test('a request that waits in MSW fails when the Greenhouse is closed', async () => {
  const { greenhouse, replied, calls } = sendToHandlers({})
  await expect.poll(() => calls().length).toBe(1)
  greenhouse.close()
  expect((await replied).response!.type).toBe('error')
})
