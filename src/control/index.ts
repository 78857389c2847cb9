import type { NodeListener } from '../adapters/node.ts'
import type { Greenhouse } from '../greenhouse.ts'
import { guard, type GuardOptions } from './guard.ts'
import { protect, sendFailure } from './send.ts'
import { Streams } from './stream.ts'

/** The control API of one server. */
export interface Control {
  answer: NodeListener
  /** Ends the journal streams, which would go on for ever. */
  close(): void
}

/** Whether a request's target belongs to the control API. */
export function isControlTarget(target: string): boolean {
  return /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*)?\/__greenhouse([/?#]|$)/.test(target)
}

/** Makes the control API. Express is loaded with the first call that may come in. */
export function createControl(greenhouse: Greenhouse, options: GuardOptions): Control {
  const streams = new Streams()
  let loading: Promise<NodeListener> | undefined
  const load = () => (loading ??= import('./app.ts').then(({ createControlApp }) => createControlApp(greenhouse, streams)))
  return {
    close: () => streams.close(),
    async answer(request, response) {
      protect(response)
      try {
        guard(request, options)
        const app = await load()
        app(request, response)
      } catch (error) {
        sendFailure(response, error)
      }
    },
  }
}
