import { expect, onTestFinished, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import type { Asked } from '../../src/contract/verify/wire.ts'
import { createHttpClient } from '../../src/node-http/verify-http.ts'
import { createGreenhouse } from 'greenhouse-mock'
import { start, startServe } from '../support/cli.ts'
import { verifyGreenhouse, verifyTargets } from './against.ts'

/** Returns the contents of a world's accounts. */
const contents = (world: ReturnType<ReturnType<typeof createGreenhouse>['world']>) =>
  Object.fromEntries(
    (['plants', 'apps', 'webhooks', 'deployments'] as const).map((name) => [
      name,
      world.records[name].all().map((record) => String(record.id)),
    ]),
  )

test('without --allow-writes it only reads', async () => {
  const asked: Asked[] = []
  const { send, close } = createHttpClient()
  onTestFinished(close)
  const { report } = await verifyGreenhouse(
    {},
    {
      allowWrites: false,
      rateLimit: true,
      send: (one, signal) => {
        asked.push(one)
        return send(one, signal)
      },
    },
  )
  expect([...new Set(asked.map(({ method }) => method))].sort()).toEqual(['GET', 'HEAD'])
  expect(report.rules.filter(({ outcome }) => outcome === 'kept').length).toBeGreaterThan(20)
  expect(report.rules.find(({ id }) => id === 'plants.create.status')).toMatchObject({
    outcome: 'unseen',
    why: 'it needs --allow-writes',
  })
})

test('whatever it makes it takes away again', async () => {
  const greenhouse = createGreenhouse()
  const before = contents(greenhouse.world('default'))
  const server = await serve(greenhouse)
  onTestFinished(() => server.close())
  const report = await verifyTargets({ plants: server.url, apps: `${server.url}/v1` }, { only: notSlow })
  expect(report.left).toEqual([])
  expect(contents(greenhouse.world('default'))).toEqual(before)
})

test('it takes away what it made even when it is stopped in the middle', async () => {
  const greenhouse = createGreenhouse()
  const before = contents(greenhouse.world('default'))
  const server = await serve(greenhouse)
  const { send, close } = createHttpClient()
  onTestFinished(() => server.close())
  onTestFinished(close)
  const stop = new AbortController()
  let made = 0
  const report = await verifyTargets(
    { plants: server.url, apps: `${server.url}/v1` },
    {
      signal: stop.signal,
      only: notSlow,
      async send(asked, signal) {
        const answered = await send(asked, signal)
        if (asked.method === 'POST' && ++made === 30) stop.abort()
        return answered
      },
    },
  )
  expect(report.ended).toBe('The run was stopped.')
  expect(report.left).toEqual([])
  expect(contents(greenhouse.world('default'))).toEqual(before)
})

test('what it cannot take away is reported', async () => {
  const { send, close } = createHttpClient()
  onTestFinished(close)
  const { report } = await verifyGreenhouse(
    {},
    {
      only: (id) => id === 'plants.create.reply',
      send: (asked, signal) =>
        asked.method === 'DELETE' ? Promise.resolve({ status: 500, headers: {}, text: '' }) : send(asked, signal),
    },
  )
  expect(report.left).toEqual([expect.stringMatching(/^the plant \d+: DELETE \/plants\/\d+ answered 500$/)])
})

test('Ctrl-C ends the command with 130, and leaves nothing behind', async () => {
  const { ready, call } = await startServe()
  const before = await (await call('/plants')).text()
  const args = ['verify', '--target-plants', ready.plants_url, '--key', 'key_pro', '--allow-writes', '--rate', '40']
  const { output, kill, ended } = start(args)
  await expect.poll(async () => (await (await call('/plants')).text()).includes('greenhouse-verify')).toBe(true)
  kill('SIGINT')
  expect(await ended).toMatchObject({
    code: 130,
    stderr: 'Stopping: deleting what was created. Press Ctrl-C again to stop at once.\n',
  })
  expect(output.stdout).toContain('The run was stopped.')
  expect(await (await call('/plants')).text()).toBe(before)
})

test('it sends no more requests a second than it may', async () => {
  const times: number[] = []
  const { send, close } = createHttpClient()
  onTestFinished(close)
  let now = Date.UTC(2026, 2, 1)
  await verifyTargets(
    { plants: await serveDefault() },
    {
      rate: 4,
      allowWrites: false,
      now: () => now,
      wait: async (duration) => void (now += duration),
      send: (asked, signal) => {
        times.push(now)
        return send(asked, signal)
      },
    },
  )
  expect(times.length).toBeGreaterThan(10)
  for (let at = 1; at < times.length; at++) expect(times[at]! - times[at - 1]!).toBe(250)
})

test('a rate limit in the way is waited for, once a request', async () => {
  const { send, close } = createHttpClient()
  onTestFinished(close)
  const waits: number[] = []
  const told: string[] = []
  let count = 0
  const report = await verifyTargets(
    { plants: await serveDefault() },
    {
      allowWrites: false,
      only: (id) => id === 'plants.list.reply',
      wait: async (duration) => void waits.push(duration),
      log: (line) => told.push(line),
      send: (asked, signal) =>
        ++count === 2
          ? Promise.resolve({ status: 429, headers: { 'retry-after': '7' }, text: '{"error":429,"message":"Slow."}' })
          : send(asked, signal),
    },
  )
  expect(report.rules.map(({ outcome }) => outcome)).toContain('kept')
  expect(waits).toEqual([7_000])
  expect(told).toEqual(['The rate limit is reached: waiting 7 s.'])
})

test('rate-limit probes stop at the first 429', async () => {
  const statuses: number[] = []
  const { send, close } = createHttpClient()
  onTestFinished(close)
  await verifyGreenhouse(
    {},
    {
      rateLimit: true,
      only: (id) => id.startsWith('apps.limit.') || id.startsWith('rate-limit.'),
      async send(asked, signal) {
        const answered = await send(asked, signal)
        statuses.push(answered.status)
        return answered
      },
    },
  )
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
})

const notSlow = (id: string) =>
  !['webhooks.retries', 'webhooks.timeout', 'payments.settle', 'plants.webhook'].includes(id)

async function serveDefault(): Promise<string> {
  const server = await serve(createGreenhouse())
  onTestFinished(() => server.close())
  return server.url
}
