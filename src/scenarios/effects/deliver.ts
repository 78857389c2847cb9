import * as z from 'zod/mini'
import { toMilliseconds } from '../../core/time/clock.ts'
import { deliveryFaults, type DeliveryFault } from '../../core/world/layer.ts'
import { eventTypes } from '../../core/definitions/events.ts'
import { quote } from '../../core/definitions/quote.ts'
import { suggest } from '../../core/definitions/suggest.ts'
import { conditions, operationFilter } from '../condition.ts'
import { duration } from '../duration.ts'
import { defineEffect } from '../effect-kind.ts'
import { count } from '../trigger.ts'

/** By how much, where a file does not say. */
const usual: Record<DeliveryFault['kind'], string> = {
  duplicate: '0s',
  late: '1h',
  'out-of-order': '1m',
  'stale-timestamp': '10m',
  'bad-signature': '0s',
  lost: '0s',
}

const { times, after, every, probability } = conditions

const spec = z
  .strictObject({
    kind: z.enum(deliveryFaults),
    /** Types of events, or globs. */
    events: z.optional(
      z.union(
        [z.string(), z.array(z.string()).check(z.minLength(1))],
        'expected the type of an event, a glob such as "app.*", or a list of them',
      ),
    ),
    by: z.optional(duration),
    times,
    after,
    every,
    probability,
  })
  .check(
    z.refine(({ kind, by }) => by === undefined || (kind !== 'bad-signature' && kind !== 'lost'), {
      path: ['by'],
      error: 'does not apply to this kind: expected no "by"',
    }),
  )

/** `deliver`: lets deliveries to webhooks go wrong. */
export const deliverEffect = defineEffect({
  name: 'deliver',
  schema: z.array(spec),
  reach: () => ['webhooks'],
  check: (specs) =>
    specs.flatMap(({ events = [] }, index) =>
      [events].flat().flatMap((pattern, place) =>
        eventTypes.some(operationFilter(pattern))
          ? []
          : [
              {
                path: [index, 'events', ...(Array.isArray(events) ? [place] : [])],
                message: `no event is called ${quote(pattern)}.${suggest(pattern, eventTypes)}`,
              },
            ],
      ),
    ),
  create: (specs, activation) =>
    specs.map((spec, index) => {
      const id = `deliver.${index}`
      const isMeant = operationFilter(spec.events)
      const counter = activation.counter(id)
      const fault: DeliveryFault = { kind: spec.kind, by: toMilliseconds(spec.by ?? usual[spec.kind]) }
      return {
        ...activation.name(id),
        decide: () => ({ due: false, why: 'it acts on deliveries to webhooks' }),
        deliver: (type) => (isMeant(type) && count(spec, counter).due ? fault : undefined),
      }
    }),
})
