import { namesInPath } from '../core/text/values.ts'
import { codedError } from '../core/text/error-codes.ts'
import type * as z from 'zod/mini'
import { eventTypes } from '../areas/event-types.ts'
import type { Assume } from '../core/contract/assumptions.ts'
import { ApiError, type ErrorCode, printFailure, toReason } from '../core/contract/errors.ts'
import { briefMessage, describeProblem, quote } from '../core/text/messages.ts'
import { toJson } from '../core/http/json.ts'
import { bodiless, type Outcome } from '../core/http/reply.ts'
import {
  type AuthenticatedExchange,
  type DeclaredError,
  type Input,
  type Method,
  type Operation,
} from '../core/pipeline/operation.ts'
import { mayBeLeftOut } from '../core/pipeline/input.ts'
import { toSentence, withoutMessages } from '../core/store/validation-message.ts'
import { DuplicateKeyError } from '../core/store/records.ts'
import type { OwnOperation, OwnReply } from './definitions.ts'
import {
  codeOfStatus,
  createContext,
  HandlerReply,
  type HandlerServices,
} from './handler-context.ts'
import { createReader, type ParameterReader } from './own-parameters.ts'
import { toJsonSchemaOf, toZod, valueTypesOf } from './schema.ts'

/**
 * Turns an operation of a user into one that is served like those that are built in.
 * @param overridden the built-in operation that it replaces, if it does
 * @throws TypeError for a definition with mistakes
 */
export function toOperation(
  operation: OwnOperation,
  overridden: Operation | undefined,
  services: HandlerServices,
): Operation {
  return new CustomOperation(operation, overridden, services).describe()
}

/** An operation of a user, with its schemas as those of Zod. */
class CustomOperation {
  readonly #id: string
  readonly #options: OwnOperation['options']
  readonly #overridden: Operation | undefined
  readonly #services: HandlerServices
  readonly #params: ParameterReader | undefined
  readonly #query: ParameterReader | undefined
  readonly #body: z.ZodMiniType | undefined
  readonly #result: z.ZodMiniType | undefined
  readonly #statuses: readonly number[] | undefined

  /** @throws TypeError for a definition with mistakes. */
  constructor(
    { id, options }: OwnOperation,
    overridden: Operation | undefined,
    services: HandlerServices,
  ) {
    this.#id = id
    this.#options = options
    this.#overridden = overridden
    this.#services = services
    const { params, query, body, result, status } = options
    const nameOf = (part: string) => `The ${part} of the operation ${quote(id)}`
    this.#params = params && createReader(params, nameOf('params'))
    if (this.#params) assertInPath(nameOf('params'), this.#path, Object.keys(this.#params.known))
    this.#query = query && createReader(query, nameOf('query'))
    this.#body = body && toZod(body, nameOf('body'), ['input'])
    if (this.#body) assertBody(nameOf('body'), this.#method, this.#body)
    this.#result = result && toZod(result, nameOf('result'), ['output'])
    if (status !== undefined) this.#statuses = [status].flat()
    if (this.#result && this.#statuses?.every((each) => bodiless.has(each)))
      throw codedError(
        'GREENHOUSE_INVALID_DEFINITION',
        `${nameOf('result')} is never sent, because a reply with the status ${String(status)} has no body.`,
      )
  }

  get #method(): Method {
    return this.#options.method ?? this.#overridden?.method ?? 'GET'
  }

  get #path(): string {
    return this.#options.path ?? this.#overridden?.path ?? '/'
  }

  /** Returns what is routed, checked and documented. What the options leave out stays as it was. */
  describe(): Operation {
    const { title, scope, example } = this.#options
    const overridden = this.#overridden
    const params = this.#params?.known ?? (overridden ? undefined : {})
    return {
      ...overridden,
      ...this.#describeSchemas(),
      isOwn: true,
      id: this.#id,
      method: this.#method,
      path: this.#path,
      title: title ?? overridden?.title ?? this.#id,
      source: 'ours',
      scope: (scope ?? overridden?.scope ?? 'any') as Operation['scope'],
      ...(params && { params }),
      ...(example && { example }),
      errors: (assume) => [...(overridden?.errors?.(assume) ?? []), ...this.#errors()],
      // A GET may write too: it counts as a request like any other.
      writes: true,
      handle: (exchange, input) => this.#handle(exchange, input),
    }
  }

  /**
   * Returns the schemas and statuses that the options have. Those of the overridden operation that
   * depend on assumptions would come first, so they are replaced, too.
   */
  #describeSchemas(): Partial<Operation> {
    const query = this.#query?.known
    const body = this.#body
    const result = this.#result
    const statuses = this.#statuses ?? (result ? [200] : [200, 204])
    const hasStatuses = !this.#overridden || this.#statuses !== undefined
    return {
      ...(query && {
        query,
        queryUnder: () => query,
      }),
      ...(body && {
        body,
        bodyUnder: () => ({}),
        bodyIsOptional: this.#overridden?.bodyIsOptional || mayBeLeftOut(body),
      }),
      ...(result && {
        result,
        resultUnder: () => result,
      }),
      ...(hasStatuses && { statuses: () => statuses }),
    }
  }

  #errors(): DeclaredError[] {
    return (this.#options.errors ?? []).map((status) => [codeOfStatus(status) as ErrorCode, status])
  }

  #handle(exchange: AuthenticatedExchange, input: Input<unknown>): Outcome {
    const context = createContext({
      exchange,
      // A reader takes the values of a name as a list: a query may repeat a name.
      params: this.#params?.read((name) => [input.params[name] ?? []].flat()) ?? input.params,
      query:
        this.#query?.read((name) => input.query.getAll(name)) ?? Object.fromEntries(input.query),
      body: input.body,
      emits: [...Object.keys(this.#options.emits ?? {}), ...eventTypes],
      services: this.#services,
      next: () => this.#next(exchange, input),
    })
    const returned = callHandler(this.#id, () => this.#options.handle(context))
    // A stream of the overridden operation is returned as it is.
    if (returned instanceof HandlerReply && returned.outcome.events) return returned.outcome
    const assume: Assume = (which) => exchange.assume(which)
    const { status, body } =
      returned instanceof HandlerReply ? returned : this.#toReply(returned, assume)
    assertReply(this.#id, status, body)
    if (body === undefined) {
      if (this.#result && status < 300 && returned === undefined)
        throw toHandlerError(this.#id, 'it returned nothing, and has a "result".')
      return { status }
    }
    if (status < 300) this.#assertResult(body, assume)
    return { status, body }
  }

  /** Calls the operation that this one overrides. */
  #next(exchange: AuthenticatedExchange, input: Input<unknown>): HandlerReply {
    if (!this.#overridden)
      throw codedError(
        'GREENHOUSE_INVALID_DEFINITION',
        'Failed to call next(): the operation overrides none.',
      )
    // Its own schema makes an empty object of no body.
    const outcome = this.#overridden.handle(exchange, { ...input, body: input.body ?? {} })
    if (outcome.events) return new HandlerReply(outcome)
    // The body is copied, because it may be cached.
    return new HandlerReply({
      status: outcome.status,
      body: structuredClone(outcome.body),
    })
  }

  /** Returns the reply for a body that a handler returned without a status. */
  #toReply(body: unknown, assume: Assume): OwnReply {
    const statuses = this.#statuses ?? this.#overridden?.statuses?.(assume)
    const defaultStatus = body === undefined ? 204 : 200
    return {
      status: statuses?.[0] ?? defaultStatus,
      body,
    }
  }

  /** @throws ApiError 500 for a body that does not match the schema `result`. */
  #assertResult(body: unknown, assume: Assume) {
    const overridden = this.#overridden
    const schema = this.#result ?? overridden?.resultUnder?.(assume) ?? overridden?.result
    if (!schema) return
    const { data, error } = schema.safeParse(body, withoutMessages)
    const [issue] = error?.issues ?? []
    if (issue)
      throw toHandlerError(
        this.#id,
        `its reply does not match "result": ${toSentence(issue, schema, body)}`,
      )
    const extra = this.#result && findExtraField(body, data)
    if (extra !== undefined)
      throw toHandlerError(
        this.#id,
        `its reply has the field ${quote(extra)}, which "result" does not have.`,
      )
  }
}

/** Asserts that a path has all parameters of these names. */
function assertInPath(what: string, path: string, names: readonly string[]) {
  const known = namesInPath(path)
  const wrong = names.find((name) => !known.includes(name))
  if (wrong !== undefined)
    throw codedError(
      'GREENHOUSE_INVALID_DEFINITION',
      describeProblem(
        `${what} have ${quote(wrong)}, which its path ${path} does not have`,
        wrong,
        known,
      ),
    )
}

function assertBody(what: string, method: string, body: z.ZodMiniType) {
  if (method === 'GET')
    throw codedError(
      'GREENHOUSE_INVALID_DEFINITION',
      `${what} cannot be sent, because the method is GET. Take "query".`,
    )
  const types = valueTypesOf(toJsonSchemaOf(body, what, 'input'))
  if (types.length > 0 && !types.includes('object'))
    throw codedError(
      'GREENHOUSE_INVALID_DEFINITION',
      `${what} takes the schema of an object: every body is one.`,
    )
}

/**
 * Runs a handler. An error that it did not make with `error` becomes a reply with the status 500
 * and the handler's name; the console gets its stack.
 */
function callHandler(id: string, handle: () => unknown): unknown {
  try {
    const returned = handle()
    if (!(returned instanceof Promise)) return returned
    // Nothing awaits this promise, so its error must not end the process.
    returned.catch(() => undefined)
    throw new TypeError('it is asynchronous. A handler runs as one step: return the reply itself.')
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (error instanceof DuplicateKeyError) throw new ApiError('duplicate_id', error.message)
    printFailure(`The handler of the operation "${id}" failed:`, error)
    throw toHandlerError(id, toReason(error))
  }
}

/** Returns a 500 whose reason, in the journal, is what the handler did wrong. */
function toHandlerError(id: string, reason: string): ApiError {
  return new ApiError('internal_error').because(
    briefMessage(`The handler of the operation "${id}" failed: ${reason}`),
  )
}

/** @throws ApiError 500 for what cannot be sent. */
function assertReply(id: string, status: number, body: unknown) {
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw toHandlerError(id, `it replied with the status ${status}: expected 200 to 599.`)
  if (body instanceof Response)
    throw toHandlerError(id, 'it returned a Response. Return the body, or reply(status, body).')
  if (body instanceof ApiError) throw toHandlerError(id, 'it returned an error. Throw it.')
  if (body === undefined) return
  if (bodiless.has(status))
    throw toHandlerError(
      id,
      `it replied with the status ${status} and a body, which such a reply cannot have.`,
    )
  assertJsonBody(id, body)
}

function assertJsonBody(id: string, body: unknown) {
  let text: string | undefined
  try {
    text = toJson(body)
  } catch (error) {
    throw toHandlerError(id, `its reply cannot be written as JSON: ${toReason(error)}`)
  }
  if (text === undefined)
    throw toHandlerError(id, `its reply cannot be written as JSON: it is a ${typeof body}.`)
}

/**
 * Finds a field that a body has, and that is missing in what a schema parsed of it: Zod removes
 * fields that the schema does not have.
 */
function findExtraField(body: unknown, parsed: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || typeof parsed !== 'object' || parsed === null)
    return undefined
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue
    if (!Object.hasOwn(parsed, name)) return name
    const inside = findExtraField(value, (parsed as Record<string, unknown>)[name])
    if (inside !== undefined) return `${name}.${inside}`
  }
  return undefined
}
