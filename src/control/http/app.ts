import type express from 'express'
import { quote } from '../../core/definitions/quote.ts'
import { toJson } from '../../core/http/json.ts'
import type { Greenhouse } from '../../greenhouse/greenhouse.ts'
import { invalid, readJson } from '../body.ts'
import { Call } from '../call.ts'
import { ControlError } from '../errors.ts'
import { routes } from '../routes.ts'
import type { Streams } from './streams.ts'
import { sendParts } from './send-parts.ts'
import { sendFailure, sendJson } from './send.ts'

/** The smallest body limit of a control call, in bytes. A service with a larger limit has that limit here too. */
const bodyLimit = 2 ** 20

/** The routes that read a query, and the POST routes that read a body. Every PUT and PATCH reads one, except those of snapshots. */
const queried = new Set([
  'get /scenarios',
  'get /worlds/:world/journal',
  'get /openapi.json',
  'get /worlds/:world/openapi.json',
])
const posted = new Set(['/worlds/:world/keys', '/worlds/:world/events'])

/** Refuses a query or a body that the route does not read. @throws ControlError 400 */
function refuseWhatNothingReads(method: string, path: string, call: Call): void {
  const [name] = queried.has(`${method} ${path}`) ? [] : Object.keys(call.query)
  if (name !== undefined) throw invalid(`This call takes no query parameters; ${quote(name)} was sent.`)
  const readsBody = ((method === 'put' || method === 'patch') && !path.includes('/snapshots/')) || posted.has(path)
  const [field] = readsBody || typeof call.body !== 'object' ? [] : Object.keys(call.body ?? {})
  if (field !== undefined) throw invalid(`This call takes no fields; ${quote(field)} was sent.`)
}

/** Makes the control API. Callers who may not use it are refused before. */
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
      const call = new Call(greenhouse, request, body)
      refuseWhatNothingReads(method, path, call)
      const answer = await handle(call)
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
