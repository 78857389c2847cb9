import * as z from 'zod/mini'
import { toMilliseconds } from '../../core/time/time-text.ts'
import { deliveryFaults, type DeliveryFault } from '../../core/world/effective-settings.ts'
import { describeProblem, quote } from '../../core/text/messages.ts'
import { globFilter } from '../../core/text/values.ts'
import { defineEffect } from '../language/effect-kind.ts'
import { described, optional } from '../../core/contract/zod.ts'
import { durationSchema, oneOrMore } from '../language/fields.ts'

const defaultBy: { readonly [Kind in DeliveryFault['kind']]?: string } = {
  late: '1h',
  'out-of-order': '1m',
  'stale-timestamp': '10m',
}

export const deliverEffect = defineEffect({
  name: 'deliver',
  description: 'Makes webhook deliveries go wrong: late, lost, or sent twice.',
  actsOn: () => ({
    due: false,
    why: 'it acts on deliveries to webhooks',
  }),
  reach: () => ['webhooks'],
  narrowedBy: {
    conditions: ['times'],
    why: 'deliver acts on deliveries to webhooks, not on requests',
  },
  fields: {
    kind: described(z.enum(deliveryFaults), 'What goes wrong.'),
    events: optional(
      oneOrMore(
        z.string(),
        'expected the type of an event, a glob such as "app.*", or a list of them',
      ),
      'Which events: a type (plant.created), a glob (app.*), or a list of them. All by default.',
    ),
    by: optional(durationSchema, 'How late the delivery or how old its timestamp is: 1h.'),
  },
  check({ kind, by, events = [] }, { eventTypes }) {
    if (by !== undefined && (kind === 'bad-signature' || kind === 'lost'))
      return [
        {
          path: ['by'],
          message: 'does not apply to this kind: expected no "by"',
        },
      ]
    return [events].flat().flatMap((pattern, index) => {
      // The area that delivers events is missing, so no event is known.
      if (eventTypes.length === 0 || eventTypes.some(globFilter(pattern))) return []
      const message = describeProblem(`no event is called ${quote(pattern)}`, pattern, eventTypes)
      return [
        {
          path: ['events', ...(Array.isArray(events) ? [index] : [])],
          message,
        },
      ]
    })
  },
  create({ kind, by = defaultBy[kind] ?? '0s', events }, { count }) {
    const matchesType = globFilter(events)
    const fault: DeliveryFault = {
      kind,
      by: toMilliseconds(by),
    }
    return {
      deliver: (type) => {
        if (matchesType(type) && count().due) return fault
        return undefined
      },
    }
  },
})
