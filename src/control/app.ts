import type express from 'express'
import { toJson } from '../core/http/json.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'
import { readJson } from './body.ts'
import { Call } from './call.ts'
import { ControlError } from './errors.ts'
import { routes } from './routes.ts'
import type { Streams } from './stream.ts'
import { sendParts } from './parts.ts'
import { sendFailure, sendJson } from './send.ts'

/** The smallest limit of a control call's body, in bytes; a service with a larger one takes as much here. */
const bodyLimit = 2 ** 20

/** Makes the control API; whoever may not use it was turned away before. */
export function createControlApp(
  createExpress: typeof express,
  greenhouse: Greenhouse,
  streams: Streams,
): express.Express {
  const app = createExpress().disable('x-powered-by').enable('case sensitive routing')
  const router = createExpress.Router({ caseSensitive: true, strict: true })
  for (const [method, path, handle] of routes)
    router[method](path, async (request, response) => {
      const body = method === 'get' ? undefined : await readJson(request, Math.max(bodyLimit, greenhouse.bodyLimit))
      const answer = await handle(new Call(greenhouse, request, body))
      if ('stream' in answer) streams.send(response, answer.stream)
      else if ('parts' in answer) await sendParts(response, answer.parts)
      else sendJson(response, answer.status, answer.value === undefined ? undefined : toJson(answer.value))
    })
  app.use('/__greenhouse', router)
  app.use((request) => {
    throw new ControlError(404, 'not_found', `The control API has no ${request.method} ${request.path}.`)
  })
  // Express knows what takes an error by its four parameters.
  app.use((error: unknown, _request: express.Request, response: express.Response, _next: express.NextFunction) =>
    sendFailure(response, error, greenhouse.redact),
  )
  return app
}
