import type { IncomingMessage } from 'node:http'
import type { NodeListener } from '../../node-http/listener.ts'
import type { Greenhouse } from '../../greenhouse/greenhouse.ts'
import { report } from '../../core/definitions/reason.ts'
import { splitTarget } from '../../core/http/request.ts'
import { ControlError } from '../errors.ts'
import { guard, type GuardOptions } from './guard.ts'
import { protect, sendFailure } from './send.ts'
import { Streams } from './streams.ts'

/** The control API of one server. */
export interface Control {
  answer: NodeListener
  /** Loads what the first call needs. */
  load(): Promise<unknown>
  /** Ends the journal streams. */
  close(): void
}

/** Makes the control API. Loads what answers with the first call that is allowed. */
export function createControl(greenhouse: Greenhouse, options: GuardOptions): Control {
  const streams = new Streams()
  const load = () => import('./answer-request.ts')
  return {
    load,
    close: () => streams.close(),
    async answer(request, response) {
      protect(response)
      try {
        admit(greenhouse, request, options)
        const { answerRequest } = await load().catch(refuseToLoad)
        await answerRequest(greenhouse, streams, request, response)
      } catch (error) {
        sendFailure(response, error, greenhouse.redact)
      }
    },
  }
}

/** Refuses strangers, and logs it. @throws ControlError */
function admit(greenhouse: Greenhouse, request: IncomingMessage, options: GuardOptions): void {
  try {
    guard(request, options)
  } catch (error) {
    const [path, search] = splitTarget(request.url!)
    if (error instanceof ControlError)
      greenhouse.tell({
        event: 'refused',
        request: { method: request.method!, path, search, headers: request.headers },
        status: error.status,
        reason: error.message,
      })
    throw error
  }
}

function refuseToLoad(error: unknown): never {
  report('Greenhouse failed to load its control API:', error)
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? 'see the log'
  throw new ControlError(
    503,
    'unavailable',
    `The control API could not be loaded (${code}). Close connections, or let the process open more files, and try again; if that does not help, restart.`,
  )
}
