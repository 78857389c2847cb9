import { quote, suggest } from '../core/text/messages.ts'
import { Router } from '../core/pipeline/router.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { Answer, ControlRoute } from './answer.ts'
import { invalid } from './body.ts'
import { Call, type ControlCall } from './call.ts'
import { ControlError, toFailure } from './errors.ts'
import { routes } from './routes/index.ts'

interface FoundRoute {
  readonly route: ControlRoute
  readonly params: Readonly<Record<string, string>>
}

const router = new Router(routes)

/**
 * Answers a call of the control API. Never throws: an error is an answer too.
 * @example await answerCall(greenhouse, { method: 'PUT', path: '/worlds/default/scenarios', body: { active: ['slow'] }, origin })
 */
export async function answerCall(greenhouse: Greenhouse, call: ControlCall): Promise<Answer> {
  try {
    return await answerRoute(greenhouse, findRoute(call.method, call.path), call)
  } catch (error) {
    const { status, body } = toFailure(error, greenhouse.redact)
    return { status, value: body }
  }
}

export function findRoute(method: string, path: string): FoundRoute {
  const { operation: route, params, methods } = router.match(method === 'HEAD' ? 'GET' : method, path)
  if (!route) {
    const suggestion = methods.length > 0 ? ` The path takes ${methods.join(', ')}.` : suggestSegment(path)
    throw new ControlError(404, 'not_found', `The control API has no ${method} /__greenhouse${path}.${suggestion}`)
  }
  return {
    route,
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decode(value)])),
  }
}

function suggestSegment(path: string): string {
  const given = path.split('/')
  for (const at of given.keys()) {
    const names = routes
      .map((route) => route.path.split('/'))
      .filter((parts) => parts.length === given.length)
      .filter((parts) => parts.every((part, index) => index === at || part[0] === '{' || part === given[index]))
      .flatMap((parts) => (parts[at]![0] === '{' ? [] : parts[at]!))
    const suggestion = suggest(given[at]!, names)
    if (suggestion !== '') return suggestion
  }
  return ''
}

export async function answerRoute(
  greenhouse: Greenhouse,
  { route, params }: FoundRoute,
  given: ControlCall,
): Promise<Answer> {
  const call = new Call(greenhouse, params, given)
  rejectWhatNothingReads(route, call)
  return route.handle(call)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid('The percent-encoding of the path is not valid.')
  }
}

function rejectWhatNothingReads({ reads }: ControlRoute, { query, body }: Call): void {
  const [name] = reads === 'query' || reads === 'both' ? [] : Object.keys(query)
  if (name !== undefined) throw invalid(`This call takes no query parameters; ${quote(name)} was sent.`)
  const [field] = reads === 'body' || reads === 'both' || typeof body !== 'object' ? [] : Object.keys(body ?? {})
  if (field !== undefined) throw invalid(`This call takes no fields; ${quote(field)} was sent.`)
}
