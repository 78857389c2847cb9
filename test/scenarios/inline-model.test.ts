import fc from 'fast-check'
import { dump } from 'js-yaml'
import { expect, test } from 'vitest'
import { type Greenhouse, type InlineScenario, type ScenarioChoice, createGreenhouse } from 'greenhouse-mock'
import { loadScenarios } from 'greenhouse-mock/node'
import { writeFolder } from '../support/folder.ts'
import { times } from '../support/soak.ts'

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const on = fc.constantFrom('plants.list', 'apps.*', '*', 'plants.create', ['apps.list', 'plants.delete'])
const where = fc.record(
  { plan: fc.constantFrom('any', 'free', 'pro'), key: fc.constantFrom('key_free', 'key_pro') },
  { requiredKeys: [] },
)
const conditions = {
  on: optional(on),
  where: optional(where),
  times: optional(fc.integer({ min: 1, max: 3 })),
  after: optional(fc.integer({ min: 0, max: 3 })),
  every: optional(fc.integer({ min: 1, max: 3 })),
  probability: optional(fc.constantFrom(0, 0.3, 0.7, 1)),
}
const items = (fields: object) =>
  optional(fc.array(fc.record({ ...fields, ...conditions } as never), { minLength: 1, maxLength: 3 }))

/** JSON values, without placeholders. */
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll('${', '$').replaceAll('__proto__', 'proto')))

const respond = fc.oneof(
  fc.record({
    status: fc.constantFrom(200, 404, 503),
    body: json,
    headers: fc.constant({ 'X-Stub': 1 }),
    ...conditions,
  }),
  fc.record({
    error: fc.constantFrom('not_found', 'rate_limit_exceeded'),
    message: fc.constant('Ünlucky'),
    ...conditions,
  }),
  fc.record({ status: fc.constantFrom(204, 500), in_front: fc.boolean(), ...conditions }),
)
const fault = fc.oneof(
  fc.record({ kind: fc.constant('truncate'), at: fc.nat(200), ...conditions }),
  fc.record({ kind: fc.constant('clock-skew'), by: fc.constantFrom('1h', '-90s', 5_000), ...conditions }),
  fc.record({ kind: fc.constant('headers'), remove: fc.constant(['Content-Type']), ...conditions }),
  fc.record({ kind: fc.constant('bad-utf8'), ...conditions }),
  fc.record({ kind: fc.constant('stale'), ...conditions }),
)
const malform = fc.record({
  field: fc.constant('name'),
  kind: fc.constantFrom('missing', 'null', 'wrong-type', 'huge', 'bad-utf8'),
  ...conditions,
  on: fc.constantFrom('plants.list', 'apps.list'),
})

const scenario = fc
  .record({
    keys: items({ without: fc.constantFrom('plants:write', 'apps:read') }),
    quota: items({ window: fc.constantFrom('minute', 'day'), remaining: optional(fc.nat(3)) }),
    account: items({ plan: fc.constantFrom('free', 'pro_plus') }),
    assume: optional(fc.constant({ 'plants.delete.unknown': '204' })),
    records: items({
      collection: fc.constantFrom('plants', 'apps'),
      keep: fc.constant('none'),
      add: optional(fc.integer({ min: 1, max: 3 })),
    }),
    respond: optional(fc.array(respond, { minLength: 1, maxLength: 2 })),
    fault: optional(fc.array(fault, { minLength: 1, maxLength: 2 })),
    malform: optional(fc.array(malform, { minLength: 1, maxLength: 2 })),
  })
  .map((data) => JSON.parse(JSON.stringify(data)) as InlineScenario)
  .filter((data) => Object.keys(data).length > 0)

const request = fc.record({
  key: fc.constantFrom('key_pro', 'key_free', undefined),
  call: fc.constantFrom(
    ['GET', '/plants'],
    ['POST', '/plants', '{"id":9007199254740993,"name":"Fern"}'],
    ['DELETE', '/plants/101'],
    ['GET', '/v1/apps'],
    ['POST', '/v1/apps', '{"name":"Shop"}'],
    ['GET', '/v1/nothing'],
  ),
})

const now = '2026-03-01T12:00:30Z'
const title = 'inline-model'

async function replay(
  greenhouse: Greenhouse,
  choice: ScenarioChoice,
  requests: readonly { key?: string; call: readonly string[] }[],
) {
  const world = greenhouse.world()
  world.use(choice)
  const replies: unknown[] = []
  for (const [
    place,
    {
      key,
      call: [method, path, body],
    },
  ] of requests.entries()) {
    const headers = {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
    }
    const response = await greenhouse.fetch(
      new Request(`http://any${path}`, { method: method!, headers, body: body ?? null }),
    )
    replies.push([response.status, [...response.headers], [...new Uint8Array(await response.arrayBuffer())]])
    if (place === Math.floor(requests.length / 2)) world.snapshot('half')
  }
  world.restore('half')
  return { replies, verdicts: world.journal.calls().map((entry) => [entry.verdicts, entry.reason]) }
}

test('an inline scenario gives the same replies, byte by byte, as a file with the same effects', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, fc.array(request, { minLength: 1, maxLength: 12 }), async (data, requests) => {
      const file = dump({ title, description: 'D', covers: 'C', ...data })
      const options = { now, frozen: true, seed: 7 }
      const scenarios = loadScenarios(writeFolder({ [`${title}.yaml`]: file }))
      const one = await replay(createGreenhouse(options), { title, ...data }, requests as never)
      expect(one).toEqual(await replay(createGreenhouse({ ...options, scenarios }), title, requests as never))
    }),
    { numRuns: times(400, 60) },
  )
})
