import * as z from 'zod/mini'
import { declareCollection, type CollectionDefinition } from '../../../../core/store/collection.ts'
import { deliveryFaults, type DeliveryFault } from '../../../../core/world/effective-settings.ts'
import { dueTime, fixtureTime, storedTime, toFixtureTimestamp } from '../../../../core/time/fixture-time.ts'
import { eventTypes, type EventType } from '../../../event-types.ts'
import { toFixtureDataFromPayload, toFixtureData, toPayload } from '../delivery/payload.ts'
import { attemptFixtureSchema, attemptSchema, shownAttemptSchema, toAttempt, type Attempt } from './attempt.ts'

const faultSchema = z.strictObject({ kind: z.enum(deliveryFaults), by: z.number() })

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'lost'] as const

/** Fields that stored deliveries, replies and fixtures share. */
const fields = {
  /** `del_` and 16 characters. */
  id: z.string(),
  type: z.enum(eventTypes),
  /** `lost`: a scenario dropped it. */
  status: z.enum(deliveryStatuses),
}

/** Fields that stored deliveries and fixtures share. */
const storedFields = { account: z.string(), webhook: z.string(), event: z.string() }

const deliveryRecordSchema = z.strictObject({
  ...fields,
  ...storedFields,
  payload: z.string(),
  attempts: z.array(attemptSchema),
  tries: z.number(),
  redeliveries: z.optional(z.number()),
  faults: z.optional(z.array(faultSchema)),
  next_attempt_at: z.nullable(dueTime),
  created_at: storedTime,
})

/** A stored delivery of one event to one webhook. */
export interface Delivery {
  /** `del_` and 16 characters. */
  id: string
  /** The account's id. */
  account: string
  /** The webhook's id. */
  webhook: string
  /** The event's id, the same at every attempt and redelivery. */
  event: string
  type: EventType
  /** The JSON text that is sent. */
  payload: string
  status: (typeof deliveryStatuses)[number]
  /** At most the newest 100. */
  attempts: Attempt[]
  /** The number of attempts since the retry schedule began. A redelivery restarts the schedule. */
  tries: number
  /** The number of redeliveries that wait until the due or running attempt is done. */
  redeliveries?: number | undefined
  /** The faults that scenarios add. */
  faults?: DeliveryFault[] | undefined
  /** When the next attempt is due, in milliseconds since 1970; `null` when there is none. */
  next_attempt_at: number | null
  /** In milliseconds since 1970. */
  created_at: number
}

/** One event on its way to one webhook, as replies carry it. `world.trigger` returns these too. */
export const deliverySchema = z.object({
  ...fields,
  webhook_id: z.string(),
  /** The same for every attempt, redelivery and duplicate: the header `webhook-id`. */
  event_id: z.string(),
  /** The newest 100. */
  attempts: z.array(shownAttemptSchema),
  /** `null` when there is no further attempt. */
  next_attempt_at: z.nullable(z.iso.datetime()),
  /** The body of the request to the receiver. */
  payload: z.object({ type: z.enum(eventTypes), timestamp: z.iso.datetime(), data: z.record(z.string(), z.unknown()) }),
  created_at: z.iso.datetime(),
})

export const deliveries: CollectionDefinition<Delivery> = declareCollection({
  name: 'deliveries',
  schema: deliveryRecordSchema,
  fixture: {
    schema: z
      .strictObject({
        ...fields,
        ...storedFields,
        data: z.record(z.string(), z.unknown()),
        attempts: z.array(attemptFixtureSchema),
        next_attempt_at: z.optional(fixtureTime),
        created_at: fixtureTime,
      })
      .check(
        z.refine(({ status, next_attempt_at }) => (status === 'pending') === (next_attempt_at !== undefined), {
          error:
            'Invalid time: expected a time such as "in 30m" with the status "pending", and none with other statuses',
          path: ['next_attempt_at'],
        }),
      ),
    toRecord({ data, attempts, next_attempt_at, created_at, ...delivery }, now): Delivery {
      const at = toFixtureTimestamp(created_at, now)
      return {
        ...delivery,
        payload: toPayload({ type: delivery.type, at, data: toFixtureData(data, now) as Record<string, unknown> }),
        attempts: attempts.map((attempt) => toAttempt(attempt, now)),
        tries: attempts.length,
        next_attempt_at: next_attempt_at === undefined ? null : toFixtureTimestamp(next_attempt_at, now),
        created_at: at,
      }
    },
    fromRecord: ({ payload, next_attempt_at }, now) => ({
      data: toFixtureDataFromPayload(payload, now),
      next_attempt_at: next_attempt_at ?? undefined,
    }),
  },
  key: (delivery) => delivery.id,
  owner: (delivery) => delivery.account,
  parent: (delivery) => delivery.webhook,
  refers: { webhook: 'webhooks' },
})
