import { createClock, steadyNow } from '../../../core/clock.ts'
import type { WebhookRequest } from '../../../core/webhook-transport.ts'
import type { World } from '../../../core/world.ts'
import { timeoutOf } from './schedule.ts'
import type { Attempt } from './schemas.ts'

/** What came of one request. */
export type Outcome = Pick<Attempt, 'status' | 'error' | 'latency' | 'response'>

/** Real time: a receiver gets its seconds whatever the world's clock does meanwhile. */
const machine = createClock()

/** What the error of a receiver that took too long begins with. */
export const tooLate = 'No answer within '

/** Sends a request and tells what came of it; never rejects. @param ended is aborted when nobody wants to know any more. */
export async function send(world: World, makeRequest: () => WebhookRequest, ended: AbortSignal): Promise<Outcome> {
  const startedAt = steadyNow()
  const timeout = timeoutOf(world)
  const giveUp = new AbortController()
  const end = () => giveUp.abort(new Error('The world began anew.'))
  ended.addEventListener('abort', end)
  let stopTimer = () => {}
  void machine.wait(timeout, (tell) => (stopTimer = tell)).then(() => giveUp.abort(new Error(`${tooLate}${timeout / 1_000} s.`)))
  try {
    if (ended.aborted) end()
    giveUp.signal.throwIfAborted()
    const { status, body } = await world.transport.send(makeRequest(), giveUp.signal)
    const error = status >= 300 && status < 400 ? 'The receiver answered with a redirect, which is not followed.' : null
    return { status, error, latency: since(startedAt), response: body }
  } catch (error) {
    return { status: null, error: error instanceof Error ? error.message : String(error), latency: since(startedAt), response: null }
  } finally {
    ended.removeEventListener('abort', end)
    stopTimer()
  }
}

function since(startedAt: number): number {
  return Math.round((steadyNow() - startedAt) * 10) / 10
}
