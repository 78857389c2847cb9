import * as z from 'zod/mini'
import { toMilliseconds } from '../../core/time/clock.ts'
import type { Random } from '../../core/time/random.ts'
import { duration } from '../duration.ts'
import { defineFault } from '../fault-kind.ts'

const uniform = z
  .strictObject({ min: duration, max: duration })
  .check(z.refine(({ min, max }) => toMilliseconds(min) <= toMilliseconds(max), 'expected max to be no less than min'))
const lognormal = z.strictObject({
  median: duration,
  sigma: z.number().check(z.gte(0), z.lte(5)),
  max: z.optional(duration),
})

/**
 * `delay`: the reply is held back: as long as `fixed` says, between two bounds, or with a long tail. Several delays add up.
 * It ends when either the world's clock or the machine's has moved on so far, so that a test can skip it.
 */
export const delayFault = defineFault({
  kind: 'delay',
  fields: { fixed: z.optional(duration), uniform: z.optional(uniform), lognormal: z.optional(lognormal) },
  check: ({ fixed, uniform, lognormal }) =>
    [fixed, uniform, lognormal].filter((one) => one !== undefined).length === 1
      ? undefined
      : 'expected one of "fixed", "uniform" and "lognormal"',
  create({ fixed, uniform, lognormal }, activation, id) {
    const { random } = activation.counter(`${id}.length`)
    const draw = () => {
      if (fixed !== undefined) return toMilliseconds(fixed)
      if (uniform)
        return toMilliseconds(uniform.min) + random.next() * (toMilliseconds(uniform.max) - toMilliseconds(uniform.min))
      const { median, sigma, max = longest } = lognormal!
      return Math.min(toMilliseconds(max), toMilliseconds(median) * Math.exp(sigma * drawNormal(random)))
    }
    return {
      arrive(exchange) {
        exchange.delay += Math.min(draw(), toMilliseconds(longest))
      },
      distort: (_, reply) => ({ ...reply }),
    }
  },
})

const longest = '1d'

/** A draw from the standard normal distribution (Box and Muller). */
function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}
