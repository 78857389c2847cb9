import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type express from 'express'
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
  /** Loads what the first call needs, except Express, which takes long. */
  load(): Promise<unknown>
  /** Ends the journal streams. */
  close(): void
}

/** Makes the control API. Loads Express with the first call that is allowed. */
export function createControl(greenhouse: Greenhouse, options: GuardOptions): Control {
  const streams = new Streams()
  const loadApp = () => import('./app.ts')
  let loading: Promise<NodeListener> | undefined
  const load = async () => {
    const [{ createControlApp }, express] = await Promise.all([loadApp(), loadExpress()])
    return createControlApp(express, greenhouse, streams)
  }
  const forget = (error: unknown) => {
    loading = undefined
    throw toLoadError(error)
  }
  return {
    load: loadApp,
    close: () => streams.close(),
    async answer(request, response) {
      protect(response)
      try {
        admit(greenhouse, request, options)
        const app = await (loading ??= load().catch(forget))
        app(request, response)
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

/** Loads Express with `require`: Node tries a failed `require` again, but never a failed `import`. */
async function loadExpress(): Promise<typeof express> {
  try {
    return (await import('express')).default
  } catch {
    return createRequire(import.meta.url)('express') as typeof express
  }
}

function toLoadError(error: unknown): ControlError {
  report('Greenhouse failed to load its control API:', error)
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? 'see the log'
  return new ControlError(
    503,
    'unavailable',
    `The control API could not be loaded (${code}). Close connections, or let the process open more files, and try again; if that does not help, restart.`,
  )
}
