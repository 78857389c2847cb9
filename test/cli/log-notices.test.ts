import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { serve, type RunningServer } from '../../src/adapters/server.ts'
import { loadHandlers } from '../../src/adapters/own-handlers.ts'
import { logRequests } from '../../src/cli/output/request-log.ts'
import { createGreenhouse, type Greenhouse, type GreenhouseOptions } from '../../src/index.ts'
import { writeFolder } from '../support/folder.ts'
import { expectOutput } from '../support/output.ts'

interface Logged {
  greenhouse: Greenhouse
  server: RunningServer
  /** Returns the output, JSON lines parsed. */
  read(): { pretty: string; json: any[] }
}

/** Runs a test against a server that is logged in both forms. */
async function logged(
  run: (logged: Logged) => Promise<void>,
  options: GreenhouseOptions = {},
  handlers?: string,
): Promise<void> {
  const greenhouse = createGreenhouse(options)
  const texts = { pretty: '', json: '' }
  const ends = (['pretty', 'json'] as const).map((format) =>
    logRequests(
      greenhouse,
      format,
      { writableLength: 0, write: (text: string) => (texts[format] += text) } as never,
      {},
    ),
  )
  await using server = await serve(
    greenhouse,
    handlers === undefined ? {} : { first: await loadHandlers(handlers, (text) => process.stderr.write(text)) },
  )
  const read = () => {
    for (const end of ends) end()
    return {
      pretty: texts.pretty,
      json: texts.json
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    }
  }
  await run({ greenhouse, server, read })
}

test('an unknown scenario or invalid world name is logged with the suggestion the client got', () =>
  logged(async ({ server, read }) => {
    await fetch(`${server.url}/plants?token=sk_live_123456`, { headers: { 'x-greenhouse-scenario': 'slwo' } })
    await fetch(`${server.url}/plants`, { headers: { 'x-greenhouse-world': 'no world' } })
    const { pretty, json } = read()
    expect(pretty).toMatch(
      /GET {4}400 .*\/plants\?token=fp_[\da-f]{12} +\(refused\) +Failed to use the scenario "slwo".*Did you mean "slow"\?\n/,
    )
    expect(json).toEqual([
      {
        event: 'refused',
        time: expect.stringMatching(/Z$/),
        request: { method: 'GET', url: expect.stringMatching(/^\/plants\?token=fp_/) },
        response: { status: 400 },
        reason: expect.stringContaining('slow'),
      },
      expect.objectContaining({ event: 'refused', reason: expect.stringContaining('no world') }),
    ])
  }))

test('refused pages of other sites are logged with the flag that allows them', () =>
  logged(async ({ server, read }) => {
    const origin = 'https://shop.example'
    await fetch(`${server.url}/plants`, { headers: { origin } })
    await fetch(`${server.url}/plants`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    })
    await fetch(`${server.url}/__greenhouse/worlds`, { headers: { origin } })
    const { pretty, json } = read()
    const blocked = expect.stringMatching(/origin "https:.*--cors https:\/\/shop\.example.*cookies.*private network/)
    expect(pretty.match(/shop\.example/g)!.length).toBeGreaterThanOrEqual(3)
    expect(json.map(({ event, request, response, reason }) => [event, request.url, response.status, reason])).toEqual([
      ['refused', '/plants', 403, blocked],
      ['refused', '/plants', 403, blocked],
      ['refused', '/__greenhouse/worlds', 403, expect.stringContaining('origin')],
    ])
  }))

const msw = pathToFileURL(resolve('node_modules/msw/lib/core/index.mjs')).href

test('answers of custom handlers are logged, with the reason when one fails', async () => {
  const file = join(
    writeFolder({
      'own.mjs': `import { http, HttpResponse } from '${msw}'
export const handlers = [http.get('/plants/1', () => HttpResponse.json({}, { status: 203 })), http.get('/plants/2', () => { throw new Error('oh no') }), http.get('/plants/3', () => HttpResponse.error())]`,
    }),
    'own.mjs',
  )
  await logged(
    async ({ server, read }) => {
      for (const id of [1, 2]) await (await fetch(`${server.url}/plants/${id}`)).text()
      await expect(fetch(`${server.url}/plants/3`)).rejects.toThrow()
      const { pretty, json } = read()
      expect(pretty).toMatch(
        /203 .*\/plants\/1 +\(your handler\)\n.*500 .*\/plants\/2 +\(your handler\) .*oh no\n.*--- .*\/plants\/3 +\(your handler\) +aborted\n/,
      )
      expect(json).toEqual([
        {
          event: 'handled',
          time: expect.any(String),
          request: { method: 'GET', url: '/plants/1' },
          response: { status: 203 },
          ms: expect.any(Number),
        },
        expect.objectContaining({
          event: 'handled',
          response: { status: 500 },
          reason: expect.stringContaining('oh no'),
        }),
        expect.objectContaining({ event: 'handled', response: { status: 0 }, aborted: true }),
      ])
      expectOutput(/oh no/)
    },
    {},
    file,
  )
})

test('delivery attempts are logged with host, event, result, duration and next attempt', async () => {
  const statuses = [500, 200]
  const receiver = createServer((_, response) => response.writeHead(statuses.shift()!).end())
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  await logged(async ({ greenhouse, server, read }) => {
    const world = greenhouse.world()
    world.clock.freeze()
    const call = (path: string, body: object) =>
      fetch(`${server.url}/v1${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer key_lite', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const hook = (await (
      await call('/webhooks', { url: `http://${host}/hook?secret=sk_live_123456`, events: ['app.created'] })
    ).json()) as { id: string }
    await call('/apps', { name: 'x' })
    await world.settled()
    world.clock.advance('10s')
    await world.settled()
    const { pretty, json } = read()
    const told = json.filter(({ event }) => event === 'delivery')
    expect(told).toEqual([
      {
        event: 'delivery',
        time: expect.any(String),
        at: expect.any(String),
        world: 'default',
        webhook: hook.id,
        delivery: expect.stringMatching(/^del_/),
        type: 'app.created',
        host,
        attempt: 1,
        status: 500,
        error: null,
        ms: expect.any(Number),
        next_attempt_at: expect.any(String),
      },
      expect.objectContaining({ attempt: 2, status: 200, next_attempt_at: null }),
    ])
    expect(pretty).toMatch(new RegExp(`HOOK {3}500 .*${host} +app\\.created +attempt 1, next in 5 s\\n`))
    expect(pretty + JSON.stringify(json)).not.toContain('sk_live')
  })
  receiver.close()
})
