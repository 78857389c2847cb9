import type * as z from 'zod/mini'
import { ApiError, type ErrorCode } from '../../core/definitions/errors.ts'
import { briefMessage, quote } from '../../core/definitions/quote.ts'
import { printFailure, toReason } from '../../core/definitions/reason.ts'
import type { Outcome } from '../../core/http/outcome.ts'
import type { RefusedWith } from '../../core/pipeline/endpoint.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import type { Operation } from '../../core/pipeline/operation.ts'
import { withoutMessages } from '../../core/store/issue-message.ts'
import { toSentence } from '../../core/store/validation-message.ts'
import { DuplicateKeyError } from '../../core/store/records.ts'
import { ChosenReply, codeOfStatus, createContext, type OperationSetting } from './context.ts'
import type { OwnOperation } from './definitions.ts'
import { createReader, type ParameterReader } from './parameters.ts'
import { toZod, type OwnSchema } from './schema.ts'

/** Converts an operation of a user to one that the pipeline answers. @throws TypeError for a schema that cannot be documented. */
export function toOperation({ id, options }: OwnOperation, setting: OperationSetting): Operation {
  const { overridden } = setting
  const of = (part: string) => `The ${part} of the operation ${quote(id)}`
  const {
    method = overridden?.method ?? 'GET',
    path = overridden?.path ?? '/',
    title = overridden?.title ?? id,
  } = options
  const toReader = (part: 'params' | 'query') => {
    const schema = options[part] as OwnSchema | undefined
    return schema && createReader(toZod(schema, of(part), ['input']), of(part))
  }
  const params = toReader('params')
  const query = toReader('query')
  const body = options.body === undefined ? overridden?.body : toZod(options.body as OwnSchema, of('body'), ['input'])
  const result = options.result === undefined ? overridden?.result : toZod(options.result, of('result'), ['output'])
  const usual = [options.status].flat()[0] as number | undefined
  const statuses = [options.status ?? (result ? 200 : [200, 204])].flat()
  const resultIn = (exchange: Exchange) =>
    (options.result === undefined && overridden?.resultUnder?.((of, which) => exchange.assume(of, which))) || result
  return {
    ...overridden,
    id,
    method,
    path,
    title,
    source: 'ours',
    scope: (options.scope ?? overridden?.scope ?? 'any') as Operation['scope'],
    ...(query && { query: query.known }),
    ...(body && { body }),
    ...(result && { result }),
    ...(options.example && { example: options.example }),
    ...((!overridden || options.status !== undefined) && { statuses: () => statuses }),
    refusals: (assume) => [...(overridden?.refusals?.(assume) ?? []), ...(options.errors ?? []).map(toRefused)],
    ...(params && { params: params.known }),
    // Also a GET may write: it counts as a request like any other.
    writes: true,
    handle(exchange, input) {
      const values = {
        params: read(params, (name) => input.params[name]) ?? input.params,
        query: read(query, (name) => input.query.get(name)) ?? Object.fromEntries(input.query),
      }
      const context = createContext(exchange, input, values as never, setting)
      return toOutcome(
        id,
        call(id, () => options.handle(context as never)),
        usual,
        resultIn(exchange),
      )
    },
  }
}

function toRefused(status: number): RefusedWith {
  return [codeOfStatus(status) as ErrorCode, status]
}

function read(reader: ParameterReader | undefined, textOf: (name: string) => string | null | undefined) {
  return reader?.read(textOf)
}

/** Runs a handler. Its own errors become a 500 that names it; the console gets their stack. */
function call(id: string, handle: () => unknown): unknown {
  try {
    const returned = handle()
    if (!(returned instanceof Promise)) return returned
    // Nobody waits for it any more.
    returned.catch(() => undefined)
    throw new TypeError('it is asynchronous. A handler runs as one step: return the reply itself.')
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (error instanceof DuplicateKeyError) throw new ApiError('duplicate_id', error.message)
    printFailure(`The handler of the operation "${id}" failed:`, error)
    throw failed(id, toReason(error))
  }
}

function failed(id: string, reason: string): ApiError {
  return new ApiError('internal_error').because(briefMessage(`The handler of the operation "${id}" failed: ${reason}`))
}

/**
 * Converts what a handler returned. @param usual the status to reply with; 200 or 204 if undefined. @throws ApiError 500 for a
 * body that does not match the schema `result`.
 */
function toOutcome(
  id: string,
  returned: unknown,
  usual: number | undefined,
  result: z.ZodMiniType | undefined,
): Outcome {
  const { status, body } =
    returned instanceof ChosenReply
      ? returned
      : { status: usual ?? (returned === undefined ? 204 : 200), body: returned }
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw failed(id, `it replied with the status ${status}: expected 200 to 599.`)
  if (body instanceof Response) throw failed(id, 'it returned a Response. Return the body, or reply(status, body).')
  if (body === undefined) return { status }
  if (status === 204 || status === 205 || status === 304)
    throw failed(id, `it replied with the status ${status} and a body, which such a reply cannot have.`)
  const issue = status < 300 && result?.safeParse(body, withoutMessages).error?.issues[0]
  if (issue) throw failed(id, `its reply does not match "result": ${toSentence(issue, result!, body)}`)
  return { status, body }
}
