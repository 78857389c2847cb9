import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

const least = -(2n ** 63n)
const greatest = 2n ** 63n - 1n

/** The number `digits × 10^power`, with a point somewhere in it, zeros around it and an exponent that makes up for it. */
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

test('whatever the notation, an int64 is stored exactly and everything else is refused', async () => {
  const greenhouse = createGreenhouse()
  const { plants } = greenhouse.world().records
  const send = (id: string) =>
    greenhouse.fetch(
      new Request('http://greenhouse.test/plants', {
        method: 'POST',
        headers: { authorization: 'Bearer key_lite', 'content-type': 'application/json' },
        body: `{"name":"x","id":${id}}`,
      }),
    )
  await fc.assert(
    fc.asyncProperty(notation, async ({ text, value }) => {
      plants.replace([])
      const integer = toInteger(value)
      const isInt64 = integer !== undefined && integer >= least && integer <= greatest
      expect((await send(text)).status).toBe(isInt64 ? 200 : 400)
      expect(plants.all().map(({ id }) => BigInt(id))).toEqual(isInt64 ? [integer] : [])
    }),
    { numRuns: 2_000, seed: 9 },
  )
})

test('numbers that no field asks for come back as they were sent', async () => {
  const greenhouse = createGreenhouse({ assumptions: { 'plants.create.unknown-fields': 'keep' } })
  const send = (body: string) =>
    greenhouse.fetch(
      new Request('http://greenhouse.test/plants', {
        method: 'POST',
        headers: { authorization: 'Bearer key_lite', 'content-type': 'application/json' },
        body,
      }),
    )
  const sent =
    '{"more":[0,1e16,1234567890123456789,-9007199254740993,{"__proto__":1e16,"a":1e17,"b":0.1234567890123456789,"c":2.5,"d":1e25,"e":"1e16","f":9007199254740991.4,"g":1e3}],"id":5000,"name":"x"}'
  const reply = await (await send(sent)).text()
  expect(reply).toBe(
    '{"more":[0,10000000000000000,1234567890123456789,-9007199254740993,{"__proto__":10000000000000000,"a":100000000000000000,"b":0.12345678901234568,"c":2.5,"d":1e+25,"e":"1e16","f":9007199254740991,"g":1000}],"name":"x"}',
  )
})
