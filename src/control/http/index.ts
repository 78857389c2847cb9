import type { IncomingMessage } from 'node:http'
import type { NodeListener } from '../../node-http/listener.ts'
import { toNoticed } from '../../node-http/node-request.ts'
import type { Greenhouse } from '../../greenhouse/greenhouse.ts'
import { printFailure } from '../../core/definitions/reason.ts'
import { ControlError } from '../errors.ts'
import { guard, guardPanel, RefusedError, type GuardOptions } from './guard.ts'
import type { SendPanel } from './panel-files.ts'
import { isPanelRequest } from './panel.ts'
import { letIn, protect, sendFailure, sendJson, sendPreflight } from './send.ts'
import { Streams } from './streams.ts'

export interface Control {
  answer: NodeListener
  load(): Promise<unknown>
  close(): void
}

const up = '{"status":"ok"}'

export function createControl(greenhouse: Greenhouse, options: GuardOptions): Control {
  const streams = new Streams()
  const load = () => import('./answer-request.ts')
  const loadPanel = () => import('./panel-files.ts')
  let sendPanel: SendPanel | undefined
  return {
    load: () => Promise.all([load(), loadPanel()]),
    close: () => streams.close(),
    async answer(request, response) {
      protect(response)
      try {
        if (isPanelRequest(request)) {
          admit(greenhouse, request, () => guardPanel(request, options))
          sendPanel ??= (await loadPanel().catch(refuseToLoad)).createPanelFiles()
          return await sendPanel(request, response)
        }
        const caller = admit(greenhouse, request, () => guard(request, options))
        letIn(response, caller.origin, options.origins)
        if (caller.isPreflight) return sendPreflight(request, response)
        if (caller.isProbe) return sendJson(response, 200, up)
        const { answerRequest } = await load().catch(refuseToLoad)
        await answerRequest(greenhouse, streams, request, response)
      } catch (error) {
        if (error instanceof RefusedError) letIn(response, error.guest, options.origins)
        sendFailure(response, error, greenhouse.redact)
      }
    },
  }
}

function admit<T>(greenhouse: Greenhouse, request: IncomingMessage, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof ControlError)
      greenhouse.log({
        event: 'refused',
        code: error.code,
        request: toNoticed(request),
        status: error.status,
        reason: error.message,
      })
    throw error
  }
}

function refuseToLoad(error: unknown): never {
  printFailure('Greenhouse failed to load its control API:', error)
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? 'see the log'
  throw new ControlError(
    503,
    'unavailable',
    `The control API could not be loaded (${code}). Close connections, or let the process open more files, and try again; if that does not help, restart.`,
  )
}
