import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { request as requestHttp } from 'node:http'
import express from 'express'
import { getResponse } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import { createMiddleware } from 'greenhouse-mock/express'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { root } from '../package/packed.ts'
import { adapters } from '../support/adapters.ts'
import { startProcess } from '../support/process.ts'
import { toScenario } from './situations.ts'
import { openAlike, toKept } from './transcript.ts'

const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
const talkative = 'app_w33c4cwmhfyfktiv'

const toFault = (kind: string, spec: object) =>
  toScenario({ name: kind, effects: { fault: [{ kind, on: '*', ...spec }] } })

/**
 * @mswjs/http-middleware does not report that a client has left: its entry stays pending
 * (docs/parity.md).
 */
const able = adapters.filter(({ name }) => name !== 'http-middleware')

/** Ways in which a client leaves before the reply is complete, and how much it reads first. */
const departures = {
  'a stream of which two events came': {
    fault: toFault('stream', { fails: 'stall', events: 2, for: 'ever' }),
    reads: true,
  },
  'a body that comes byte by byte': {
    fault: toFault('drip', { bytes_per_second: 1 }),
    reads: true,
  },
  'a reply that is held back': { fault: toFault('delay', { fixed: '1h' }), reads: false },
  'a reply that never comes': { fault: toFault('timeout', {}), reads: false },
}

test.each(Object.entries(departures))(
  'every adapter records the leaving of %s',
  async (name, { fault, reads }) => {
    const kept: Record<string, unknown> = {}
    for (const adapter of able) {
      const { world, send, close } = await openAlike(adapter, { scenarios: { departure: fault } })
      const { id } = world.records.conversations
        .all()
        .find((one) => one.app === talkative && one.ended_at === undefined)!
      world.use('departure')
      const leaves = new AbortController()
      const isStream = name.startsWith('a stream')
      const reply = send(
        isStream ? `/v1/apps/${talkative}/conversations/${id}/messages` : '/plants?limit=1',
        {
          headers,
          signal: leaves.signal,
          ...(isStream && { method: 'POST', body: '{"content":"Hello","stream":true}' }),
        },
      )
      let got = ''
      if (reads) {
        const reader = (await reply).body!.pipeThrough(new TextDecoderStream()).getReader()
        const isEnough = () => (isStream ? got.split('\n\n').length > 2 : got.length > 0)
        while (!isEnough()) {
          const { done, value } = await reader.read()
          expect(done, `${adapter.name} sent all: ${got}`).toBe(false)
          got += value!
        }
        leaves.abort()
        await expect(reader.read(), adapter.name).rejects.toThrow()
      } else {
        await expect.poll(() => world.journal.calls().length).toBe(1)
        leaves.abort()
        await expect(reply, adapter.name).rejects.toThrow()
      }
      await expect.poll(() => world.journal.calls()[0]).toMatchObject({ aborted: true })
      const [entry] = world.journal.calls()
      expect(world.journal.calls(), adapter.name).toHaveLength(1)
      const status = name === 'a reply that never comes' ? 0 : 200
      expect(entry).toMatchObject({ bytes: Buffer.byteLength(got), response: { status } })
      kept[adapter.name] = { got, entry: toKept(entry!) }
      await close()
    }
    for (const [adapter, one] of Object.entries(kept)) expect(one, adapter).toEqual(kept['core'])
  },
)

const bases = { plants: 'http://plants.test' }
const asked = { method: 'POST', headers, body: '{"id":5000,"name":"Ficus"}' }
const aborted = () =>
  new Request('http://plants.test/plants', { ...asked, signal: AbortSignal.abort() })

function latch(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve: () => resolve() }
}

/**
 * Asks over a socket, which is closed when the request has arrived at what stands before
 * Greenhouse.
 */
async function askAndLeave(port: number, arrived: Promise<unknown>): Promise<void> {
  const sent = requestHttp({ port, path: '/plants', method: 'POST', headers })
  sent.on('error', () => undefined).end(asked.body)
  await arrived
  sent.destroy()
}

/** Ways to ask with a request whose client is gone before Greenhouse gets it. */
const gone: Record<string, (greenhouse: Greenhouse) => Promise<void>> = {
  'greenhouse.fetch': async (greenhouse) =>
    expect(greenhouse.fetch(aborted())).rejects.toThrow(/abort/i),
  'getResponse of msw': async (greenhouse) => {
    expect((await getResponse(createHandlers(greenhouse, bases), aborted()))?.type).toBe('error')
  },
  'a server with handlers': async (greenhouse) => {
    const arrival = latch()
    const first = async ({ request: { socket } }: { request: IncomingMessage }) => {
      arrival.resolve()
      await once(socket, 'close')
      return false
    }
    await using server = await serve(greenhouse, { first })
    await askAndLeave(server.port, arrival.promise)
  },
  'Express after a slow middleware': async (greenhouse) => {
    const arrival = latch()
    const end = latch()
    const app = express().use(({ socket }, _, next) => {
      arrival.resolve()
      socket.once('close', () => {
        next()
        end.resolve()
      })
    })
    const server = app.use(createMiddleware(greenhouse)).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    await askAndLeave((server.address() as { port: number }).port, arrival.promise)
    await end.promise
  },
}

test.each(Object.entries(gone))(
  'a request whose client is gone already changes nothing: %s',
  async (_, leave) => {
    const greenhouse = createGreenhouse()
    const world = greenhouse.world()
    const before = world.records.plants.all().length
    await leave(greenhouse)
    expect([world.records.plants.all().length, world.journal.calls()]).toEqual([before, []])
  },
)

test('a reply that never comes ends no process in which @mswjs/http-middleware carries it', async () => {
  // On Node 26, msw makes Node warn of its localStorage.
  const args = ['--no-warnings', '--input-type=module', '--eval', mounted]
  const { code, stdout, stderr } = await startProcess(process.execPath, args, { cwd: root }).ended
  expect([code, stdout, stderr]).toEqual([0, 'waits\n', ''])
})

const mounted = `
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { createMiddleware } from '@mswjs/http-middleware'
import express from 'express'
import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
const greenhouse = createGreenhouse()
greenhouse.world().use('timeout')
const server = express().use(createMiddleware(...createHandlers(greenhouse))).listen(0, '127.0.0.1')
await once(server, 'listening')
const reply = fetch('http://127.0.0.1:' + server.address().port + '/plants').then(() => 'replied', () => 'failed')
while (greenhouse.world().journal.size === 0) await setTimeout(5)
greenhouse.close()
console.log(await Promise.race([reply, setTimeout(100, 'waits')]))
process.exit()
`
