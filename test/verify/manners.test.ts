import { expect, test } from 'vitest'
import type { World } from 'greenhouse-mock'
import type { RawReply, ProbeRequest, Send } from '../../src/contract/verify/wire.ts'
import { globFilter } from '../../src/core/text/values.ts'
import { delay } from '../../src/core/time/clock.ts'
import { run, start, startServe } from '../support/cli.ts'
import { serveGreenhouse, verifyGreenhouse, verifyTargets } from './against.ts'
import { serveHttp } from './servers.ts'

const contents = ({ records }: World) =>
  (['plants', 'apps', 'webhooks', 'deployments'] as const).map((name) =>
    records[name].all().map((record) => String(record.id)),
  )

/** Lets what is sent pass, and notes it, then its answer. */
const noting =
  (
    note: (asked: ProbeRequest) => unknown,
    noteAnswer: (asked: ProbeRequest, answered: RawReply) => unknown = () => {},
  ) =>
  (send: Send): Send =>
  async (asked, signal) => {
    note(asked)
    const answered = await send(asked, signal)
    noteAnswer(asked, answered)
    return answered
  }

const notSlow = (id: string) =>
  !['webhooks.retries', 'webhooks.timeout', 'payments.settle', 'plants.webhook'].includes(id)

test('without --allow-writes it only reads', async () => {
  const asked: ProbeRequest[] = []
  const { report } = await verifyGreenhouse({
    allowWrites: false,
    rateLimit: true,
    wrap: noting((one) => asked.push(one)),
  })
  expect([...new Set(asked.map(({ method }) => method))].sort()).toEqual(['GET', 'HEAD'])
  expect(report.rules.filter(({ outcome }) => outcome === 'kept').length).toBeGreaterThan(20)
  const creation = report.rules.find(({ id }) => id === 'plants.create.status')
  expect(creation).toMatchObject({ outcome: 'unseen', why: 'it needs --allow-writes' })
})

test.each([
  ['at its end', Infinity, undefined],
  ['even when it is stopped in the middle', 30, 'The run was stopped.'],
])('what it makes it takes away again, %s', async (_, most, ended) => {
  const { targets, world } = await serveGreenhouse()
  const before = contents(world)
  const stop = new AbortController()
  let made = 0
  const report = await verifyTargets(targets, {
    signal: stop.signal,
    only: notSlow,
    wrap: noting(Boolean, ({ method }) => method === 'POST' && ++made === most && stop.abort()),
  })
  expect([report.ended, report.left, contents(world)]).toEqual([ended, [], before])
})

test('verify reports objects that it cannot delete', async () => {
  const { report } = await verifyGreenhouse({
    only: (id) => id === 'plants.create.reply',
    wrap: (send) => (asked, signal) =>
      asked.method === 'DELETE'
        ? Promise.resolve({ status: 500, headers: {}, text: '' })
        : send(asked, signal),
  })
  expect(report.left).toEqual([
    expect.stringMatching(/^the plant \d+: DELETE \/plants\/\d+ answered 500$/),
  ])
})

test('Ctrl-C ends the command with 130, and leaves nothing behind', async () => {
  const { ready, call } = await startServe()
  const list = async () => (await call('/plants')).text()
  const before = await list()
  const args = [
    'verify',
    '--target-plants',
    ready.plants_url,
    '--key',
    'key_pro',
    '--allow-writes',
    '--rate',
    '40',
  ]
  const { output, kill, ended } = start(args)
  await expect.poll(async () => (await list()).includes('greenhouse-verify')).toBe(true)
  kill('SIGINT')
  expect(await ended).toMatchObject({
    code: 130,
    stderr: 'Stopping: deleting what was created. Press Ctrl-C again to stop at once.\n',
  })
  expect(output.stdout).toContain('The run was stopped.')
  expect(await list()).toBe(before)
})

test('checks that wait run side by side, checks that count requests alone', async () => {
  const { targets } = await serveGreenhouse({ assumptions: { 'webhooks.retries': 'fast' } })
  const together: (readonly string[])[] = []
  const { probes } = await verifyTargets(targets, {
    only: globFilter(['webhooks.retries', 'webhooks.gone', 'apps.limit.counts', 'http.head']),
    wait: delay,
    progress: ({ running }) => together.push(running),
  })
  expect(probes).toMatchObject([{ value: 'as-get' }, { value: 'fast' }, { value: 'disable' }])
  expect(together).toContainEqual(
    expect.arrayContaining(['http.head', 'webhooks.retries', 'webhooks.gone']),
  )
  const counting = together.filter((running) => running.includes('apps.limit.counts'))
  expect(counting).toEqual([['apps.limit.counts']])
})

test('a server that is no Greenhouse gets neither the token nor a change of a clock', async () => {
  const sent: string[] = []
  const url = await serveHttp(({ method, url, headers }, response) => {
    sent.push(`${method} ${url} ${headers.authorization}`)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]')
  })
  const flags = [
    '--target-plants',
    url,
    '--key',
    'k',
    '--allow-writes',
    '--only',
    'plants.list.reply',
  ]
  await run(['verify', ...flags], { env: { ...process.env, GREENHOUSE_TOKEN: 'secret' } })
  expect(sent).toEqual(
    expect.arrayContaining(['GET /__greenhouse/health undefined', 'GET /plants Bearer k']),
  )
  expect(sent.filter((line) => /secret|clock/.test(line))).toEqual([])
})

test.each([
  ['without a token', [], {}],
  ['with a token', ['--token', 'secret'], { GREENHOUSE_TOKEN: 'secret' }],
])(
  'a Greenhouse %s is not waited for: its clock moves, and moves back at the end',
  async (_, args, token) => {
    const { ready, call } = await startServe(args)
    const startedAt = Date.now()
    const flags = ['--target-apps', ready.apps_url, '--key', 'key_pro', '--allow-writes', '--slow']
    const only = ['--only', 'webhooks.retries', '--only', 'deployments.certificate']
    const { code, stdout, stderr } = await run(['verify', ...flags, ...only], {
      isTTY: true,
      env: { ...process.env, ...token },
    })
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^webhooks\.retries +standard /m)])
    expect(stdout).toMatch(/^deployments\.certificate +30s /m)
    expect(stderr).toContain('\r\u001b[K1/2 deployments.certificate')
    const clock = await call('/__greenhouse/worlds/default/clock', { key: 'secret' })
    const { now } = (await clock.json()) as { now: string }
    expect(Date.parse(now)).toBeGreaterThan(startedAt - 4_000)
    expect(Date.parse(now)).toBeLessThan(Date.now() + 4_000)
  },
)

test('it sends no more requests a second than it may', async () => {
  const times: number[] = []
  let now = Date.UTC(2026, 2, 1)
  const targets = { plants: (await serveGreenhouse()).url }
  await verifyTargets(targets, {
    rate: 4,
    allowWrites: false,
    now: () => now,
    wait: async (duration) => void (now += duration),
    wrap: noting(() => times.push(now)),
  })
  expect(times.length).toBeGreaterThan(10)
  for (let at = 1; at < times.length; at++) expect(times[at]! - times[at - 1]!).toBe(250)
})

test.each([
  ['Retry-After', { 'retry-after': '7' }, 8],
  ['X-RateLimit-Reset', { 'x-ratelimit-reset': '9' }, 10],
  ['X-RateLimit-Reset that is over', { 'x-ratelimit-reset': '2026-01-01T00:00:00Z' }, 61],
  ['nothing', {}, 61],
  [
    'X-RateLimit-Reset in five minutes, of another clock',
    { 'x-ratelimit-reset': '1790000300' },
    61,
  ],
  ['Retry-After of an hour', { 'retry-after': '3600' }, 0],
  ['Retry-After of an hour, at once', { 'retry-after': '3600' }, 0, 1],
])(
  'a limit is waited for a second more, and over a minute ends the run: %s',
  async (_, headers, s, limited = 2) => {
    const waits: number[] = []
    const lines: string[] = []
    let count = 0
    const targets = { plants: (await serveGreenhouse()).url }
    const report = await verifyTargets(targets, {
      allowWrites: false,
      only: (id) => id === 'plants.list.reply',
      now: () => 1_790_000_000_000,
      wait: async (duration) => void waits.push(duration),
      log: (line) => lines.push(line),
      wrap: (send) => (asked, signal) =>
        ++count === limited
          ? Promise.resolve({ status: 429, headers, text: '{"error":429,"message":"Slow."}' })
          : send(asked, signal),
    })
    const log = [`The rate limit is reached: waiting ${s} s.`]
    const end = 'The rate limit lasts another 3600 s: run it again then.'
    expect([report.ended, waits, lines]).toEqual(
      s === 0 ? [end, [], []] : [undefined, [s * 1_000], log],
    )
    expect(report.rules.some(({ outcome }) => outcome === 'kept')).toBe(s > 0)
  },
)

test('rate-limit probes stop at the first 429', async () => {
  const statuses: number[] = []
  await verifyGreenhouse({
    rateLimit: true,
    only: (id) => id.startsWith('apps.limit.') || id.startsWith('rate-limit.'),
    wrap: noting(Boolean, (_, { status }) => statuses.push(status)),
  })
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
})
