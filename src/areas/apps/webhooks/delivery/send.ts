import { after, monotonicNow } from '../../../../core/time/clock.ts'
import { TransportClosedError, type WebhookRequest } from '../../../../core/http/webhook-transport.ts'
import type { CoreWorld } from '../../../../core/world/world.ts'
import type { Run } from './queue.ts'
import { timeoutOf } from '../assumptions.ts'
import type { Attempt } from '../schemas.ts'

interface AttemptResult extends Pick<Attempt, 'status' | 'error' | 'latency' | 'response'> {
  /** Whether the transport has closed, so that another attempt is pointless. */
  readonly isLast: boolean
}

export const timeoutErrorPrefix = 'No answer within '

/**
 * Sends a request and returns its result; never rejects. The timeout is real time, whatever the world's clock does.
 * @param run stops the request when its result is no longer needed.
 */
export async function sendAttempt(
  world: CoreWorld,
  makeRequest: () => WebhookRequest,
  run: Run,
): Promise<AttemptResult> {
  const startedAt = monotonicNow()
  const timeout = timeoutOf(world)
  const controller = new AbortController()
  run.onStop = () => controller.abort(run.stopped)
  const stopTimer = after(timeout, () => controller.abort(new Error(`${timeoutErrorPrefix}${timeout / 1_000} s.`)))
  try {
    if (run.stopped) throw run.stopped
    const { status, body, latency = since(startedAt) } = await world.transport.send(makeRequest(), controller.signal)
    const error = status >= 300 && status < 400 ? 'The receiver answered with a redirect, which is not followed.' : null
    return { status, error, latency, response: body, isLast: false }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return {
      status: null,
      error: message,
      latency: (error as { latency?: number } | undefined)?.latency ?? since(startedAt),
      response: null,
      isLast: error instanceof TransportClosedError,
    }
  } finally {
    delete run.onStop
    stopTimer()
  }
}

function since(startedAt: number): number {
  return Math.round((monotonicNow() - startedAt) * 10) / 10
}
