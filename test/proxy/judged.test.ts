import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { GreenhouseOptions, World } from 'greenhouse-mock'
import { replayCase, toCaseText } from 'greenhouse-mock'
import { inFrontOf } from './in-front.ts'

const replies: [what: string, path: string, status: number, body: string, found: string[]][] = [
  ['what the contract says', '/plants', 200, '[{"id":1,"name":"Ficus"}]', []],
  [
    'an error in the shape of the area',
    '/plants',
    404,
    '{"error":404,"message":"No."}',
    ['the status is 404, not'],
  ],
  ['a status that it has not', '/plants', 202, '[]', ['the status is 202, not 200']],
  ['a field of another type', '/plants', 200, '[{"id":1,"name":5}]', ['0.name: expected string']],
  ['another shape', '/plants', 200, '{"data":[]}', ['the body: expected array']],
  ['no JSON', '/plants', 200, '<p>', ['the body is not JSON']],
  [
    'a value that it has not',
    '/v1/webhooks',
    200,
    '{"data":[{"id":"wh_1","events":["plant.made"],"url":"http://a.test/","enabled":true,"app_id":null}]}',
    [
      'data.0.events.0 does not fit: invalid_value',
      'data.0.created_at: expected string',
      'data.0.updated_at: expected string',
      'has_more: expected boolean',
      'next_cursor: expected string',
    ],
  ],
  ['an error of another shape', '/v1/apps', 401, '{"message":"no"}', ['error: expected object']],
]

test.each(replies)('a reply is judged: %s', async (_, path, status, body, found) => {
  for (const isChunked of [false, true]) {
    const { send, world } = await inFrontOf((__, response) => {
      const coding = isChunked
        ? { 'content-encoding': 'gzip' }
        : { 'content-length': Buffer.byteLength(body) }
      response.writeHead(status, { 'content-type': 'application/json', ...coding })
      if (!isChunked) return response.end(body)
      const zipped = gzipSync(body)
      response.write(zipped.subarray(0, 5))
      return setTimeout(() => response.end(zipped.subarray(5)), 20)
    })
    expect(await (await send(path)).text()).toBe(body)
    const [entry] = world.journal.calls()
    expect(entry!.reply_violations ?? []).toEqual(
      found.map((one) => expect.stringContaining(one) as string),
    )
    // The request is not to blame.
    expect(entry).not.toHaveProperty('violations')
  }
})

const json = { 'content-type': 'application/json' }

/** Requests that a service rejects, as the contract says. */
const wrong: [rule: string, path: string, init?: RequestInit][] = [
  ['unknown-path', '/plantz'],
  ['unknown-method', '/plants', { method: 'PUT', headers: json, body: '{}' }],
  ['percent-encoding', '/v1/apps/app_%E4'],
  ['missing-key', '/plants', { headers: { authorization: '' } }],
  ['missing-body', '/plants', { method: 'POST', headers: json }],
  [
    'content-type',
    '/v1/apps',
    { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"name":"Shop"}' },
  ],
  [
    'content-encoding',
    '/v1/apps',
    { method: 'POST', headers: { ...json, 'content-encoding': 'zip' }, body: '{"name":"Shop"}' },
  ],
  ['invalid-body', '/v1/apps', { method: 'POST', headers: json, body: '{"name":1}' }],
]

test.each(wrong)(
  '%s is no mistake of a request that the service accepted',
  async (rule, path, init) => {
    for (const status of [400, 200]) {
      const { send, world } = await inFrontOf((_, response) =>
        response.writeHead(status, json).end('{}'),
      )
      await send(path, init)
      const found = world.journal.calls()[0]!.violations ?? []
      expect(found.some((violation) => violation.rule === rule)).toBe(status === 400)
    }
  },
)

test.each([
  ['a body that grows over the limit', gzipSync(Buffer.alloc(3_000_000, ' ')), 'gzip', /unjudged/],
  ['a body nested too deep', '['.repeat(20_000) + ']'.repeat(20_000), 'identity', undefined],
])('%s passes as it came, and is not called a breach', async (_, body, coding, reason) => {
  const { send, world } = await inFrontOf((__, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding })
      .end(body)
  })
  const response = await send('/plants')
  expect([response.status, (await response.text()).length]).toEqual([
    200,
    coding === 'gzip' ? 3_000_000 : 40_000,
  ])
  const [entry] = world.journal.calls()
  expect(entry).not.toHaveProperty('reply_violations')
  if (reason) expect(entry!.reason).toMatch(reason)
})

type Meanwhile = (
  world: World,
  response: Response,
  send: (path: string) => Promise<Response>,
) => unknown

const meantimes: [what: string, options: GreenhouseOptions, meanwhile: Meanwhile][] = [
  ['another one takes its place', { journal: { entries: 1 } }, (_, __, send) => send('/v1/apps')],
  ['the journal is cleared', {}, (world) => world.journal.clear()],
  ['the journal has no room for it', { memory: 8_000 }, () => undefined],
  [
    'its client leaves',
    {},
    async (world, response) => {
      await response.body!.cancel()
      await expect.poll(() => world.journal.calls()[0]!.aborted).toBe(true)
    },
  ],
]

test.each(meantimes)(
  'a reply in pieces is judged as a whole or not at all: %s',
  async (_, options, meanwhile) => {
    let finish = () => {}
    const app: RequestListener = (request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' })
      if (request.url !== '/plants') return response.end()
      finish = () => response.end('or":401,"message":"No."}')
      return response.write('{"err')
    }
    const { send, world, greenhouse } = await inFrontOf(app, {}, options)
    const found: unknown[] = []
    greenhouse.subscribe(({ operation, reply_violations }) => {
      if (operation === 'plants.list') found.push(reply_violations)
    })
    const response = await send('/plants')
    await meanwhile(world, response, send)
    finish()
    await expect.poll(() => found.length).toBe(2)
    expect(found[1]).toBeUndefined()
  },
)

test('a body where the contract has none is a violation', async () => {
  const { send, world } = await inFrontOf((_, response) => response.writeHead(200).end('gone'))
  await (await send('/plants/1', { method: 'DELETE' })).text()
  expect(world.journal.calls()[0]!.reply_violations).toContain(
    'there is a body, where the document has none',
  )
})

test('a case has the replies of a service to whatever path follows the name of a world', async () => {
  const { send, greenhouse } = await inFrontOf(({ url }, response) => response.end(url))
  const paths = ['/~checkout/plants?next=/x', '/~checkout', '/~checkout?next=/plants/7']
  for (const path of paths) await send(path)
  const { requests, differences, ...replayed } = await replayCase(
    greenhouse.world('checkout').toCase(),
  )
  onTestFinished(() => replayed.greenhouse.close())
  expect([requests, differences]).toEqual([3, []])
})

test('a type that is not JSON is a violation, and a request is judged as ever', async () => {
  const { send, world } = await inFrontOf((_, response) => response.end('[]'))
  await send('/plants?limitt=2')
  const [entry] = world.journal.calls()
  expect(entry!.reply_violations).toEqual(['there is no Content-Type'])
  expect(entry!.violations).toMatchObject([{ rule: 'unknown-query' }])
  world.use('stale-replies')
  await send('/plants')
  expect(world.journal.calls()[1]!.reply_violations).toEqual(['there is no Content-Type'])
})

test.each([
  ['', {}],
  ['', { 'content-encoding': 'gzip' }],
  ['/~checkout', {}],
])(
  'a case and a copied test of what a real service answered play its replies again (%s, %o)',
  async (prefix, headers) => {
    let count = 0
    const { send, greenhouse, target } = await inFrontOf((_, response) => {
      response.writeHead(203, {
        'content-type': 'application/json',
        'x-count': String(++count),
        ...headers,
      })
      response.end('content-encoding' in headers ? gzipSync(`[${count}]`) : `[${count}]`)
    })
    const key = 'sk_live_0123456789abcdef'
    const body = JSON.stringify({ name: 'Fern', token: 'abcdefgh' })
    for (const init of [{}, {}, { method: 'POST', body }, { method: 'HEAD' }])
      await (
        await send(`${prefix}/plants`, { ...init, headers: { authorization: `Bearer ${key}` } })
      ).text()
    const world = greenhouse.world(prefix.slice('/~'.length) || 'default')
    expect(world.journal.calls().map(({ answered_by }) => answered_by)).toEqual(
      Array(4).fill(target),
    )
    const copied = await send(`/__greenhouse/worlds/${world.name}/journal/1/code?as=vitest`)
    const { text } = await copied.json()
    expect(text).toMatch(/recorded: \[[^]*request: 'GET \/plants',\s+status: 203,[^]*text: '\[1\]'/)
    expect(text).toMatch(
      /expect\(reply.status\).toEqual\(203\)\s+expect\(await reply.json\(\)\).toEqual\(\[1\]\)/,
    )
    expect(text).not.toContain(key)
    const taken = world.toCase()
    expect(taken.steps!.map(({ answered_by }) => answered_by)).toEqual(Array(4).fill(target))
    expect(toCaseText(taken)).not.toContain(key)
    const { requests, differences, greenhouse: again } = await replayCase(taken)
    onTestFinished(() => again.close())
    expect([requests, differences]).toEqual([4, []])
  },
)
