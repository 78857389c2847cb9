import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { own } from './helpers.ts'

const traceOf = ({ headers }: { headers: Headers }) => headers.get('x-greenhouse')

testApi(
  'X-Greenhouse names the scenarios that acted, and the idle ones',
  {},
  async ({ world, call }) => {
    expect(traceOf(await call('GET', '/plants'))).toBe('world=default; operation=plants.list')
    world.use('malformed-plant')
    expect(traceOf(await call('GET', '/plants'))).toBe(
      'world=default; operation=plants.list; scenario=malformed-plant',
    )
    const answer = await call('GET', '/v1/apps', {
      headers: {
        'x-greenhouse-scenario': 'rate-limited-plan:plan=pro, rate-limited-day:plan=free',
      },
    })
    expect(traceOf(answer)).toBe(
      'world=default; operation=apps.list; scenario=rate-limited-plan; idle=malformed-plant,rate-limited-day',
    )
  },
)

testApi(
  'the trace names effects on the finished reply: a header, a body, a delay',
  {},
  async ({ world, call }) => {
    const finishing = ['wrong-content-type', 'truncated-json:bytes=0', 'clock-skew', 'slow:ms=0']
    for (const scenario of [...finishing, 'legacy-rate-limit-headers']) {
      world.useOnly([scenario as never])
      const response = await call('GET', '/v1/apps')
      expect(traceOf(response), scenario).toBe(
        `world=default; operation=apps.list; scenario=${scenario.split(':')[0]}`,
      )
    }
  },
)

const reasons = {
  garbage: ['sent bytes that are not HTTP in place of the reply'],
  truncate: ['cut the body short', { at: 1 }],
  'empty-reply': ['closed the connection without a reply'],
  'bad-utf8': ['put an invalid UTF-8 byte into the body'],
  'clock-skew': ['moved the times in the reply', { by: '1h' }],
  reset: ['reset the connection'],
  headers: ['changed the headers', { set: { 'X-Mine': 'yes' } }],
  drip: ['sent the body slowly', { bytes_per_second: 1e9 }],
  delay: ['delayed the reply by 1 ms', { fixed: '1ms' }],
} as const

testApi(
  'the journal says what each kind of fault did to the reply',
  {},
  async ({ world, call }) => {
    for (const [kind, [act, fields]] of Object.entries(reasons)) {
      world.useOnly([{ fault: [{ kind, ...fields } as never] }])
      await call('GET', '/v1/apps').catch(() => undefined)
      expect(world.journal.calls().at(-1)!.reason, kind).toMatch(
        new RegExp(`^scenario inline-\\d+ ${act}$`),
      )
    }
  },
)

testApi(
  'a scenario that has nothing to change on this request is idle',
  {},
  async ({ world, call }) => {
    world.use('no-rate-limit-headers')
    world.use('strict-service')
    world.use('flaky', { failures: 1, on: 'plants.delete' })
    const idle = 'idle=no-rate-limit-headers,strict-service'
    expect(traceOf(await call('GET', '/plants'))).toBe(
      `world=default; operation=plants.list; ${idle},flaky`,
    )
    const removed = () => call('DELETE', '/plants/1')
    expect(traceOf(await removed())).toBe(
      `world=default; operation=plants.delete; scenario=flaky; ${idle}`,
    )
    expect(traceOf(await removed())).toBe(`world=default; operation=plants.delete; ${idle},flaky`)
  },
)

testApi(
  'a scenario may take the header out, or put another in its place',
  async ({ world, call }) => {
    world.use({ fault: [{ kind: 'headers', remove: ['X-Greenhouse'] }] })
    expect(traceOf(await call('GET', '/plants'))).toBeNull()
    world.useOnly([{ fault: [{ kind: 'headers', set: { 'X-Greenhouse': 'mine' } }] }])
    expect(traceOf(await call('GET', '/plants'))).toBe('mine')
  },
)

const { own: scenario } = own({ respond: [{ on: 'apps.list', status: 500 }] })
const many = Object.fromEntries(
  Array.from({ length: 90 }, (_, place) => [`some-scenario-${place}`, scenario]),
)

testApi(
  'the header is short, and counts the scenarios left out',
  { scenarios: many },
  async ({ world, call }) => {
    world.useOnly(Object.keys(many) as never)
    const trace = traceOf(await call('GET', '/plants'))!
    expect(trace.length).toBeLessThan(500)
    const [, named, more] = /idle=(.*),\+(\d+)$/.exec(trace)!
    expect(named!.split(',').length + Number(more)).toBe(90)
  },
)

testApi('the header names scenarios in up to 400 characters', async ({ world, call }) => {
  const respond = [{ on: 'apps.list' as const, status: 500 }]
  const long = Array.from('abcdef', (letter) => ({ title: letter.repeat(57), respond }))
  for (const [title, end] of [
    ['abc', ',inline-abc'],
    ['abcd', ',+1'],
  ] as const) {
    world.useOnly([...long, { title, respond }])
    expect(traceOf(await call('GET', '/plants'))!.endsWith(`inline-${'f'.repeat(57)}${end}`)).toBe(
      true,
    )
  }
})

testApi('each of more than 32 scenarios acts on its own operation', async ({ world, call }) => {
  const on = (operation: string, status: number) => ({ respond: [{ on: operation, status }] })
  world.useOnly([
    on('plants.list', 501),
    ...Array.from({ length: 31 }, () => on('plants.delete', 500)),
    on('apps.list', 503),
  ] as never)
  expect([(await call('GET', '/plants')).status, (await call('GET', '/v1/apps')).status]).toEqual([
    501, 503,
  ])
})

testApi('a scenario for any plan acts on a request without a key too', async ({ world, call }) => {
  world.use({ respond: [{ on: 'plants.list', status: 501, where: { plan: 'any' } }] })
  expect((await call('GET', '/plants', { key: null })).status).toBe(501)
})
