import { type Attempt, type Delivery, hasAccepted } from '../schemas.ts'

/** The state that an attempt leaves a delivery in. */
export interface AfterAttempt {
  readonly changes: Partial<Delivery>
  /** The time for which the next attempt has to be planned; `null` if there is nothing to plan. */
  readonly planFor: number | null
}

export interface RetryPolicy {
  readonly now: number
  /** True if there is no further attempt, whatever the answer is. */
  readonly isOver: boolean
  /** How long the schedule lets the next attempt wait; `undefined` if this was its last one. */
  readonly delay: number | undefined
}

/** Decides what follows from an attempt. @param delivery as it is stored, without that attempt */
export function judgeAttempt(
  delivery: Readonly<Delivery>,
  attempt: Attempt,
  { now, isOver, delay }: RetryPolicy,
): AfterAttempt {
  const { status, redeliveries, next_attempt_at } = delivery
  const tries = delivery.tries + 1
  const isAccepted = hasAccepted(attempt)
  if (!isOver) {
    // Somebody moved the delivery during the attempt, and planned another one. This one is only
    // logged.
    if (status === 'pending' && next_attempt_at !== attempt.at)
      return {
        changes: {},
        planFor: null,
      }
    // Somebody asked for a further delivery during the attempt. It begins now, whatever the answer
    // was, and the schedule of its retries starts over.
    if (redeliveries)
      return planned(
        {
          tries: 0,
          redeliveries: redeliveries - 1,
        },
        now,
      )
    // The receiver did not accept the event, and the schedule has another attempt.
    if (!isAccepted && delay !== undefined) return planned({ tries }, attempt.at + delay)
  }
  // Nothing follows: the receiver has the event, or there are no more attempts.
  return {
    changes: {
      status: isAccepted ? 'succeeded' : 'failed',
      tries,
      redeliveries: undefined,
      next_attempt_at: null,
    },
    planFor: null,
  }
}

function planned(changes: Partial<Delivery>, planFor: number): AfterAttempt {
  return {
    changes: {
      ...changes,
      status: 'pending',
      next_attempt_at: planFor,
    },
    planFor,
  }
}
