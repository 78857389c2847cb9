import type * as z from 'zod/mini'
import type { Assume } from '../../core/definitions/assumptions.ts'
import { ApiError, type ErrorCode } from '../../core/definitions/errors.ts'
import { briefMessage, quote } from '../../core/definitions/quote.ts'
import { suggest } from '../../core/definitions/suggest.ts'
import { toJson } from '../../core/http/json.ts'
import { printFailure, toReason } from '../../core/definitions/reason.ts'
import { bodiless } from '../../core/http/reply.ts'
import type { Outcome } from '../../core/http/outcome.ts'
import type { RefusedWith } from '../../core/pipeline/endpoint.ts'
import type { Operation } from '../../core/pipeline/operation.ts'
import { withoutMessages } from '../../core/store/issue-message.ts'
import { toSentence } from '../../core/store/validation-message.ts'
import { DuplicateKeyError } from '../../core/store/records.ts'
import { ChosenReply, codeOfStatus, createContext, StreamedReply, type OperationSetting } from './context.ts'
import type { OwnOperation } from './definitions.ts'
import { createReader } from './parameters.ts'
import { toParts, toZod, valueTypesOf, type OwnSchema } from './schema.ts'

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
  if (params) assertInPath(of('params'), path, Object.keys(params.known))
  const query = toReader('query')
  const body = options.body === undefined ? overridden?.body : toZod(options.body as OwnSchema, of('body'), ['input'])
  const result = options.result === undefined ? overridden?.result : toZod(options.result, of('result'), ['output'])
  const defaultStatus = (assume: Assume) => [options.status ?? overridden?.statuses?.(assume)].flat()[0]
  if (method === 'GET' && options.body !== undefined)
    throw new TypeError(`${of('body')} cannot be sent, because the method is GET. Take "query".`)
  const types = body && options.body !== undefined ? valueTypesOf(toParts(body, of('body'), 'input')) : []
  if (types.length > 0 && !types.includes('object'))
    throw new TypeError(`${of('body')} takes the schema of an object: every body is one.`)
  if (options.result !== undefined && [options.status ?? 200].flat().every((status) => bodiless.has(status)))
    throw new TypeError(
      `${of('result')} is never sent, because a reply with the status ${String(options.status)} has no body.`,
    )
  const statuses = [options.status ?? (result ? 200 : [200, 204])].flat()
  return {
    ...overridden,
    isOwn: true,
    id,
    method,
    path,
    title,
    source: 'ours',
    scope: (options.scope ?? overridden?.scope ?? 'any') as Operation['scope'],
    // What depends on assumptions in the built-in operation would come first.
    ...(query && { query: query.known, queryUnder: () => query.known }),
    ...(body && { body }),
    ...(options.body !== undefined && { bodyUnder: () => ({}) }),
    ...(result && { result }),
    ...(result && options.result !== undefined && { resultUnder: () => result }),
    ...(options.example && { example: options.example }),
    ...((!overridden || options.status !== undefined) && { statuses: () => statuses }),
    refusals: (assume) => [...(overridden?.refusals?.(assume) ?? []), ...(options.errors ?? []).map(toRefused)],
    ...((params || !overridden) && { params: params?.known ?? {} }),
    // A GET may write too: it counts as a request like any other.
    writes: true,
    handle(exchange, input) {
      const values = {
        params: params?.read((name) => [input.params[name]!]) ?? input.params,
        query: query?.read((name) => input.query.getAll(name)) ?? Object.fromEntries(input.query),
      }
      const assume: Assume = (of, which) => exchange.assume(of, which)
      const context = createContext(exchange, input, values as never, setting)
      return toOutcome(
        id,
        call(id, () => options.handle(context as never)),
        defaultStatus(assume),
        (options.result === undefined && overridden?.resultUnder?.(assume)) || result,
        options.result !== undefined,
      )
    },
  }
}

function toRefused(status: number): RefusedWith {
  return [codeOfStatus(status) as ErrorCode, status]
}

/** Runs a handler. Its own errors become a 500 that names it; the console gets their stack. */
function call(id: string, handle: () => unknown): unknown {
  try {
    const returned = handle()
    if (!(returned instanceof Promise)) return returned
    // Nobody awaits it any more.
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
 * Converts what a handler returned. @param defaultStatus the status unless the handler chooses one; 200 or 204 if undefined.
 * @throws ApiError 500 for a body that does not match the schema `result`.
 */
function toOutcome(
  id: string,
  returned: unknown,
  defaultStatus: number | undefined,
  result: z.ZodMiniType | undefined,
  isOwnResult: boolean,
): Outcome {
  if (returned instanceof StreamedReply) return returned.toOutcome()
  const { status, body } =
    returned instanceof ChosenReply
      ? returned
      : { status: defaultStatus ?? (returned === undefined ? 204 : 200), body: returned }
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw failed(id, `it replied with the status ${status}: expected 200 to 599.`)
  if (body instanceof Response) throw failed(id, 'it returned a Response. Return the body, or reply(status, body).')
  if (body instanceof ApiError) throw failed(id, 'it returned an error. Throw it.')
  if (body === undefined) {
    if (isOwnResult && status < 300 && returned === undefined)
      throw failed(id, 'it returned nothing, and has a "result".')
    return { status }
  }
  if (bodiless.has(status))
    throw failed(id, `it replied with the status ${status} and a body, which such a reply cannot have.`)
  assertWritable(id, body)
  const parsed = status < 300 ? result?.safeParse(body, withoutMessages) : undefined
  const issue = parsed?.error?.issues[0]
  if (issue) throw failed(id, `its reply does not match "result": ${toSentence(issue, result!, body)}`)
  const extra = isOwnResult && parsed ? findExtra(body, parsed.data) : undefined
  if (extra !== undefined) throw failed(id, `its reply has the field ${quote(extra)}, which "result" does not have.`)
  return { status, body }
}

function assertWritable(id: string, body: unknown): void {
  let text: string | undefined
  try {
    text = toJson(body)
  } catch (error) {
    throw failed(id, `its reply cannot be written as JSON: ${toReason(error)}`)
  }
  if (text === undefined) throw failed(id, `its reply cannot be written as JSON: it is a ${typeof body}.`)
}

function findExtra(body: unknown, parsed: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || typeof parsed !== 'object' || parsed === null) return undefined
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue
    if (!Object.hasOwn(parsed, name)) return name
    const below = findExtra(value, (parsed as Record<string, unknown>)[name])
    if (below !== undefined) return `${name}.${below}`
  }
  return undefined
}

function assertInPath(what: string, path: string, names: readonly string[]): void {
  const known = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!)
  const wrong = names.find((name) => !known.includes(name))
  if (wrong !== undefined)
    throw new TypeError(`${what} have ${quote(wrong)}, which its path ${path} does not have.${suggest(wrong, known)}`)
}
