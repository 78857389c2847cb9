import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Greenhouse, createGreenhouse } from 'greenhouse-mock'
import { testApi, toInit } from '../support/test-api.ts'
import { times } from '../support/soak.ts'
import { expectRefusal } from './helpers.ts'

const withId = (id: string, name = 'Ficus') => `{"id":${id},"name":"${name}"}`

const refused = {
  'beyond 64 bits': [
    [
      '9223372036854775808',
      '-9223372036854775809',
      '18446744073709551615',
      '1e19',
      '-1e19',
      '1e400',
      '-1e400',
    ],
    ['9223372036854775808.0', '0.9223372036854775808e19', '9'.repeat(400)],
  ].flat(),
  'no integer':
    '1.5 0.1 -1.5 1e-3 9007199254740993.5 "7" "" null true false [] [7] {} {"id":7}'.split(' '),
  'a fraction, however close to an integer': [
    [
      '9007199254740991.4',
      '4503599627370496.0000001',
      '1.00000000000000001',
      '0.99999999999999999999',
    ],
    ['999999999999999.99', '1e-1', '1e-400', '-1e-400', `0.${'0'.repeat(400)}1`],
    ['12345678901234567e-1', '1e-99999999999999999999'],
  ].flat(),
  'an exponent beyond all bounds': [
    '1e300',
    '1e9999999999',
    `1e${'9'.repeat(1_000)}`,
    `-1E+${'9'.repeat(100_000)}`,
  ],
}

testApi('an id that is no int64 is refused, and creates nothing', async ({ call, world }) => {
  for (const [what, ids] of Object.entries(refused))
    for (const id of ids)
      expectRefusal(
        await call('POST', '/plants', { body: withId(id) }),
        400,
        `${what}: ${id.slice(0, 80)}`,
      )
  expect(world.records.plants.count()).toBe(30)
})

testApi('an integer is that integer however it is written', async ({ call, world }) => {
  const notations: [string, bigint][] = [
    ['1e15', 10n ** 15n],
    ['1e16', 10n ** 16n],
    ['-9E+18', -9n * 10n ** 18n],
    ['9007199254740995.0', 9007199254740995n],
    ['9.007199254740997e15', 9007199254740997n],
    ['9223372036854775001.0', 9223372036854775001n],
    ['123456789012345001e0', 123456789012345001n],
    ['92233720368547758070000e-4', 9223372036854775807n],
    [
      '0.00000000000000000000000000000000009223372036854775807e53',
      922337203685477580700000000000000000n / 10n ** 17n,
    ],
    [`0.${'0'.repeat(400)}7007e404`, 7007n],
    ['1001.0', 1001n],
    ['20020e-1', 2002n],
    ['2e3', 2000n],
    ['30.5e2', 3050n],
    ['-0', 0n],
    ['4E+3', 4000n],
    [`3003.${'0'.repeat(10_000)}`, 3003n],
    [`0e${'9'.repeat(10_000)}`, 0n],
  ]
  for (const [written, id] of notations) {
    const what = written.slice(0, 80)
    expect(
      (await call('POST', '/plants', { key: 'key_lite', body: withId(written) })).status,
      what,
    ).toBe(200)
    const ids = world.records.plants.all().map((plant) => BigInt(plant.id))
    expect(ids, what).toContain(id)
    expect(
      (await call('DELETE', `/plants/${id}`, { key: 'key_lite' })).status,
      written.slice(0, 80),
    ).toBe(204)
  }
})

testApi('an integer of Area B and of a scenario is held to the same rule', async ({ call }) => {
  const buy = (amount: string) =>
    call('POST', '/v1/credits/purchases', { body: `{"amount":${amount},"payment_method":"pm_ok"}` })
  expect((await buy('1e3')).body).toMatchObject({ amount: 1_000 })
  expect((await buy('1000.0')).body).toMatchObject({ amount: 1_000 })
  for (const amount of [
    '1000.00000000000000001',
    '1e-400',
    '1e16',
    '1e400',
    '999.9999999999999999999',
  ])
    expect((await buy(amount)).status, amount).toBe(400)
  const list = (count: string) =>
    call('GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': `huge-store:count=${count}` } })
  expect([(await list('1e1')).status, (await list('3.00000000000000000001')).status]).toEqual([
    200, 400,
  ])
})

testApi('a number that no double is refused wherever it stands', async ({ call }) => {
  for (const number of ['1e309', '-1e400', '1e-320', '1e-400', `${'9'.repeat(400)}.5`]) {
    const sent = `{"id":1007,"name":"Ficus","more":[{"x":${number}}]}`
    const { status, body } = await call('POST', '/plants', { body: sent })
    expect([status, body.message], number.slice(0, 80)).toEqual([
      400,
      'The body holds a number that is too large or too small for a double.',
    ])
  }
})

testApi('a zero with an exponent is 0, however small that is', async ({ call, world }) => {
  world.assume('plants.create.unknown-fields', 'keep')
  const { status, text } = await call('POST', '/plants', {
    body: '{"id":0e-400,"name":"Fern","size":0.00000000000000000000,"age":0e3}',
  })
  expect(status).toBe(200)
  expect(text).toBe('{"size":0,"age":0,"name":"Fern"}')
  expect(world.records.plants.find(({ name }) => name === 'Fern').map(({ id }) => id)).toContain(0)
})

const least = -(2n ** 63n)
const greatest = 2n ** 63n - 1n

/**
 * The number `digits × 10^power`, with a point somewhere in it, zeros around it and an exponent
 * that makes up for it.
 */
const notation = fc
  .record({
    isNegative: fc.boolean(),
    digits: fc.stringMatching(/^[1-9]\d{0,20}$/),
    power: fc.integer({ min: -22, max: 4 }),
    point: fc.nat(24),
    zeros: fc.nat(6),
    e: fc.constantFrom('e', 'E'),
  })
  .map(({ isNegative, digits, power, point, zeros, e }) => {
    const padded = digits + '0'.repeat(zeros)
    const decimals = Math.min(point, padded.length)
    const whole = padded.slice(0, padded.length - decimals) || '0'
    const mantissa = decimals === 0 ? whole : `${whole}.${padded.slice(padded.length - decimals)}`
    const exponent = power + decimals - zeros
    return {
      text: (isNegative ? '-' : '') + mantissa + (exponent === 0 ? '' : `${e}${exponent}`),
      value: { digits: BigInt((isNegative ? '-' : '') + digits), power },
    }
  })

/** The integer that a number is; `undefined` for a fraction. */
function toInteger({ digits, power }: { digits: bigint; power: number }): bigint | undefined {
  if (power >= 0) return digits * 10n ** BigInt(power)
  const divisor = 10n ** BigInt(-power)
  return digits % divisor === 0n ? digits / divisor : undefined
}

const send = (greenhouse: Greenhouse, body: string) =>
  greenhouse.fetch(
    new Request('http://greenhouse.test/plants', toInit('POST', { key: 'key_lite', body })),
  )

test('an int64 in any notation is stored exactly, everything else is refused', async () => {
  const greenhouse = createGreenhouse()
  const { plants } = greenhouse.world().records
  await fc.assert(
    fc.asyncProperty(notation, async ({ text, value }) => {
      plants.replace([])
      const integer = toInteger(value)
      const isInt64 = integer !== undefined && integer >= least && integer <= greatest
      expect((await send(greenhouse, `{"name":"x","id":${text}}`)).status).toBe(isInt64 ? 200 : 400)
      expect(plants.all().map(({ id }) => BigInt(id))).toEqual(isInt64 ? [integer] : [])
    }),
    { numRuns: times(2_000, 400), seed: 9 },
  )
})

test('numbers that no field asks for come back as they were sent', async () => {
  const greenhouse = createGreenhouse({ assumptions: { 'plants.create.unknown-fields': 'keep' } })
  const sent =
    '{"more":[0,1e16,1234567890123456789,-9007199254740993,{"__proto__":1e16,"a":1e17,"b":0.1234567890123456789,"c":2.5,"d":1e25,"e":"1e16","f":9007199254740991.4,"g":1e3}],"id":5000,"name":"x"}'
  const reply = await (await send(greenhouse, sent)).text()
  expect(reply).toBe(
    '{"more":[0,10000000000000000,1234567890123456789,-9007199254740993,{"__proto__":10000000000000000,"a":100000000000000000,"b":0.12345678901234568,"c":2.5,"d":1e+25,"e":"1e16","f":9007199254740991,"g":1000}],"name":"x"}',
  )
})
