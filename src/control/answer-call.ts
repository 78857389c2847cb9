import * as z from 'zod/mini'
import { limitLength } from '../core/store/options.ts'
import { suggest } from '../core/text/messages.ts'
import { Router } from '../core/pipeline/router.ts'
import type { ClientBases } from '../core/http/urls.ts'
import { decodeIfValid, mapFields } from '../core/text/values.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import {
  type ControlAction,
  takesBody,
  Call,
  type ControlCall,
  ControlError,
  invalid,
  toFailure,
} from './call.ts'
import { controlActions } from './actions/index.ts'
import { type Answer, toAnswer } from './answer.ts'
import { check, parseJsonBody } from './body.ts'

const router = new Router<ControlAction>(controlActions)

/**
 * Answers a call of the control API. Never throws: an error is an answer too.
 * @example await answerCall(greenhouse, { method: 'PUT', path: '/worlds/default/scenarios', readText, origin })
 */
export async function answerCall(greenhouse: Greenhouse, call: ControlCall): Promise<Answer> {
  try {
    return await runAction(greenhouse, call)
  } catch (error) {
    const { status, body } = toFailure(error, greenhouse.service.redact)
    return toAnswer(body, { status })
  }
}

function findAction({ method, path }: ControlCall) {
  const {
    operation: action,
    params,
    methods,
  } = router.match(method === 'HEAD' ? 'GET' : method, path)
  if (!action) {
    const suggestion =
      methods.length > 0 ? ` The path takes ${methods.join(', ')}.` : suggestSegment(path)
    throw new ControlError(
      404,
      'not_found',
      `The control API has no ${method} /__greenhouse${path}.${suggestion}`,
    )
  }
  const decoded = mapFields(params, (value) => {
    const text = decodeIfValid(value)
    if (text === undefined) throw invalid('The percent-encoding of the path is not valid.')
    return text
  })
  return {
    action,
    params: decoded,
  }
}

function suggestSegment(path: string): string {
  const given = path.split('/')
  for (const [at, name] of given.entries()) {
    const names = controlActions
      .map((action) => action.path.split('/'))
      .filter((parts) => parts.length === given.length)
      .filter((parts) =>
        parts.every((part, index) => index === at || part[0] === '{' || part === given[index]),
      )
      .map((parts) => parts[at] ?? '')
      .filter((name) => !name.startsWith('{'))
    const suggestion = suggest(name, names)
    if (suggestion !== '') return suggestion
  }
  return ''
}

async function runAction(greenhouse: Greenhouse, given: ControlCall): Promise<Answer> {
  const { action, params } = findAction(given)
  const isRead = action.method === 'GET'
  const text = isRead ? undefined : await given.readText?.()
  const body = text === undefined ? undefined : parseJsonBody(text)
  const call = new Call(greenhouse, controlActions, params, given)
  const isInWorld = action.path.includes('{world}')
  // An unknown world is reported first, and an impossible name before the world is created.
  if (isInWorld) void (isRead ? call.world : call.worldName)
  const input = readActionInput(action, call, body)
  const run = () => action.run(call, input)
  const result = await (isInWorld && !isRead && !action.isFinal
    ? call.change(run, action.needsWorld)
    : run())
  const { undo } = call
  if (!action.output)
    return toAnswer(undefined, {
      status: 204,
      undo,
    })
  return toAnswer(result, {
    status: action.status ?? 200,
    undo,
    signal: given.signal,
  })
}

function readActionInput(action: ControlAction, call: Call, body: unknown): unknown {
  const { input = noFields } = action
  const { query } = call
  const [given, other] = takesBody(action) ? [body, query] : [query, body]
  check(noFields, other)
  if (given === query) check(parameters, query)
  return check(call.greenhouse.catalogue.open(input), given)
}

// A list or a text is meant for another call: nobody asked for a reset with it.
const noFields = z.nullish(z.strictObject({}))

const parameters = z.record(z.string().check(limitLength()), z.string().check(limitLength()))

/**
 * Returns a `fetch` that answers calls of the control API in this process, without a server and
 * without its guard. Like one, it sends copies: nobody shares records with it. @param bases called
 * for each call, because handlers may be made later
 */
export function controlFetch(
  greenhouse: Greenhouse,
  {
    bases,
    parseYaml,
  }: {
    parseYaml?: ControlCall['parseYaml']
    bases?: () => ClientBases | undefined
  } = {},
): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    // Nothing keeps the signal of the request alive, which follows this one.
    const signal = init?.signal ?? request.signal
    const ending = new AbortController()
    signal.addEventListener('abort', () => ending.abort(signal.reason))
    const { pathname, search, origin } = new URL(request.url)
    const { status, headers, body } = await answerCall(greenhouse, {
      method: request.method,
      path: pathname.slice('/__greenhouse'.length),
      query: search.slice(1),
      readText: () => request.text(),
      origin,
      bases: bases?.(),
      parseYaml,
      signal: ending.signal,
    })
    signal.throwIfAborted()
    return new Response(typeof body === 'object' ? toTextStream(body, ending) : (body ?? null), {
      status,
      headers,
    })
  }
}

const encoder = new TextEncoder()

function toTextStream(
  body: AsyncIterable<string>,
  ending: AbortController,
): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  const { signal } = ending
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (signal.aborted) controller.error(signal.reason)
      else if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: () => ending.abort(),
  })
}
