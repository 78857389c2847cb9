import * as z from 'zod/mini'
import { toMilliseconds } from '../../core/time/time-text.ts'
import type { Random } from '../../core/time/random.ts'
import { defineFault } from '../language/effect-kind.ts'
import { described, optional } from '../../core/contract/zod.ts'
import { countGiven, durationSchema } from '../language/fields.ts'

const longestDelay = '1d'

const uniform = z
  .strictObject({
    min: described(durationSchema, 'The shortest delay.'),
    max: described(durationSchema, 'The longest delay.'),
  })
  .check(
    z.refine(
      ({ min, max }) => toMilliseconds(min) <= toMilliseconds(max),
      'expected max to be at least min',
    ),
  )
const lognormal = z.strictObject({
  median: described(durationSchema, 'Half of the delays are shorter.'),
  sigma: described(
    z.number().check(z.gte(0), z.lte(5)),
    'How much delays vary: 0 not at all, 1 a lot.',
  ),
  max: optional(durationSchema, 'The longest delay.'),
})

export default defineFault({
  kind: 'delay',
  description:
    "The reply is delayed until the world's clock or the machine's has moved on that far, so `world.clock.advance('2s')` skips it. Delays add up, to a day at most. Set one of fixed, uniform and lognormal.",
  did: ({ delay }) => `delayed the reply by ${Math.round(delay)} ms`,
  fields: {
    fixed: optional(durationSchema, 'A fixed length: 800ms.'),
    uniform: optional(uniform, 'A random length between min and max: { min: 100ms, max: 2s }.'),
    lognormal: optional(
      lognormal,
      'A random length near the median, with a long tail. A larger sigma makes the tail longer: { median: 200ms, sigma: 1, max: 10s }.',
    ),
  },
  check({ fixed, uniform, lognormal }) {
    if (countGiven(fixed, uniform, lognormal) === 1) return undefined
    return 'expected one of "fixed", "uniform" and "lognormal"'
  },
  // By now, just one of the three is given.
  create({ fixed = 0, uniform, lognormal }, activation, id) {
    const { random } = activation.counter(`${id}.length`)
    const draw = () => {
      if (uniform) {
        const [min, max] = [toMilliseconds(uniform.min), toMilliseconds(uniform.max)]
        return min + random.next() * (max - min)
      }
      if (lognormal) {
        const { median, sigma, max = longestDelay } = lognormal
        const drawn = toMilliseconds(median) * Math.exp(sigma * drawNormal(random))
        return Math.min(toMilliseconds(max), drawn)
      }
      return toMilliseconds(fixed)
    }
    return {
      arrive(exchange) {
        exchange.delay += Math.min(draw(), toMilliseconds(longestDelay))
      },
      // A copy: only a changed reply counts as a fired effect.
      transformReply: (_, reply) => ({ ...reply }),
    }
  },
})

/** Box and Muller's transform; 1 - x, since the logarithm of 0 is infinite. */
function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}
