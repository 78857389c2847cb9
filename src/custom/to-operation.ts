import { namesInPath, type Fields } from '../core/text/values.ts'
import { codedError } from '../core/text/error-codes.ts'
import type * as z from 'zod/mini'
import { eventTypes } from '../areas/event-types.ts'
import type { Assume, AssumptionRegistry } from '../core/contract/assumptions.ts'
import {
  ApiError,
  type ErrorCode,
  errors,
  printFailure,
  toReason,
} from '../core/contract/errors.ts'
import { briefMessage, describeProblem, quote, suggest } from '../core/text/messages.ts'
import { toJson } from '../core/http/json.ts'
import { bodiless, type Outcome } from '../core/http/reply.ts'
import type { Area } from '../core/pipeline/area.ts'
import {
  type AuthenticatedExchange,
  type DeclaredError,
  type Input,
  type Method,
  type Operation,
} from '../core/pipeline/operation.ts'
import type { RecordKey } from '../core/store/collection.ts'
import { toSentence, withoutMessages } from '../core/store/validation-message.ts'
import { newId } from '../core/time/random.ts'
import { DuplicateKeyError } from '../core/store/records.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { toWorldRecords, type WorldRecords } from '../catalogue/records.ts'
import type { OperationContext, OwnOperation, OwnReply } from './definitions.ts'
import { createReader, type ParameterReader } from './own-parameters.ts'
import { toParts, toZod, valueTypesOf } from './schema.ts'

/** The parts of a Greenhouse that handlers use. */
export interface InWorlds {
  readonly assumptions: AssumptionRegistry
  /** The events of users, with the schemas of their data. */
  readonly events: Area['eventSchemas']
}

export function toOperation(
  operation: OwnOperation,
  overridden: Operation | undefined,
  inWorlds: InWorlds,
): Operation {
  return new CustomOperation(operation, overridden, inWorlds).describe()
}

/** An operation of a user, whose schemas were read. */
class CustomOperation {
  readonly #id: string
  readonly #options: OwnOperation['options']
  readonly #overridden: Operation | undefined
  readonly #inWorlds: InWorlds
  readonly #params: ParameterReader | undefined
  readonly #query: ParameterReader | undefined
  readonly #body: z.ZodMiniType | undefined
  readonly #result: z.ZodMiniType | undefined
  readonly #statuses: readonly number[] | undefined

  /** @throws TypeError for a definition with mistakes. */
  constructor(
    { id, options }: OwnOperation,
    overridden: Operation | undefined,
    inWorlds: InWorlds,
  ) {
    this.#id = id
    this.#options = options
    this.#overridden = overridden
    this.#inWorlds = inWorlds
    const { params, query, body, result, status } = options
    const of = (part: string) => `The ${part} of the operation ${quote(id)}`
    this.#params = params && createReader(params, of('params'))
    if (this.#params) assertInPath(of('params'), this.#path, Object.keys(this.#params.known))
    this.#query = query && createReader(query, of('query'))
    this.#body = body && toZod(body, of('body'), ['input'])
    if (this.#body) assertBody(of('body'), this.#method, this.#body)
    this.#result = result && toZod(result, of('result'), ['output'])
    if (status !== undefined) this.#statuses = [status].flat()
    if (this.#result && this.#statuses?.every((one) => bodiless.has(one)))
      throw codedError(
        'GREENHOUSE_INVALID_DEFINITION',
        `${of('result')} is never sent, because a reply with the status ${String(status)} has no body.`,
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

  /** What depends on assumptions in the built-in operation would come first, so it is replaced. */
  #describeSchemas(): Partial<Operation> {
    const query = this.#query?.known
    const body = this.#body
    const result = this.#result
    const statuses = this.#statuses ?? (result ? [200] : [200, 204])
    const hasStatuses = !this.#overridden || this.#statuses !== undefined
    return {
      ...(query && { query, queryUnder: () => query }),
      ...(body && { body, bodyUnder: () => ({}) }),
      ...(result && { result, resultUnder: () => result }),
      ...(hasStatuses && { statuses: () => statuses }),
    }
  }

  #errors(): DeclaredError[] {
    return (this.#options.errors ?? []).map((status) => [codeOfStatus(status) as ErrorCode, status])
  }

  #handle(exchange: AuthenticatedExchange, input: Input<unknown>): Outcome {
    const context = createContext({
      exchange,
      params: this.#params?.read((name) => [input.params[name] ?? []].flat()) ?? input.params,
      query:
        this.#query?.read((name) => input.query.getAll(name)) ?? Object.fromEntries(input.query),
      body: input.body,
      emits: [...Object.keys(this.#options.emits ?? {}), ...eventTypes],
      inWorlds: this.#inWorlds,
      next: () => this.#next(exchange, input),
    })
    const returned = callHandler(this.#id, () => this.#options.handle(context))
    if (returned instanceof HandlerReply && returned.outcome.events) return returned.outcome
    const assume: Assume = (which) => exchange.assume(which)
    const { status, body } =
      returned instanceof HandlerReply ? returned : this.#toReply(returned, assume)
    assertReply(this.#id, status, body)
    if (body === undefined) {
      if (this.#result && status < 300 && returned === undefined)
        throw failed(this.#id, 'it returned nothing, and has a "result".')
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
    const outcome = this.#overridden.handle(exchange, input)
    if (outcome.events) return new HandlerReply(outcome)
    // The body is copied, because it may be cached.
    return new HandlerReply({ status: outcome.status, body: structuredClone(outcome.body) })
  }

  /** Returns a reply with the status that the handler did not choose. */
  #toReply(body: unknown, assume: Assume): OwnReply {
    const statuses = this.#statuses ?? this.#overridden?.statuses?.(assume)
    const usual = body === undefined ? 204 : 200
    return { status: statuses?.[0] ?? usual, body }
  }

  /** @throws ApiError 500 for a body that does not match the schema `result`. */
  #assertResult(body: unknown, assume: Assume): void {
    const overridden = this.#overridden
    const schema = this.#result ?? overridden?.resultUnder?.(assume) ?? overridden?.result
    if (!schema) return
    const { data, error } = schema.safeParse(body, withoutMessages)
    const [issue] = error?.issues ?? []
    if (issue)
      throw failed(
        this.#id,
        `its reply does not match "result": ${toSentence(issue, schema, body)}`,
      )
    const extra = this.#result && findExtra(body, data)
    if (extra !== undefined)
      throw failed(
        this.#id,
        `its reply has the field ${quote(extra)}, which "result" does not have.`,
      )
  }
}

function assertInPath(what: string, path: string, names: readonly string[]): void {
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

function assertBody(what: string, method: string, body: z.ZodMiniType): void {
  if (method === 'GET')
    throw codedError(
      'GREENHOUSE_INVALID_DEFINITION',
      `${what} cannot be sent, because the method is GET. Take "query".`,
    )
  const types = valueTypesOf(toParts(body, what, 'input'))
  if (types.length > 0 && !types.includes('object'))
    throw codedError(
      'GREENHOUSE_INVALID_DEFINITION',
      `${what} takes the schema of an object: every body is one.`,
    )
}

/** Runs a handler. Its own errors become a 500 that names it; the console gets their stack. */
function callHandler(id: string, handle: () => unknown): unknown {
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
  return new ApiError('internal_error').because(
    briefMessage(`The handler of the operation "${id}" failed: ${reason}`),
  )
}

/** @throws ApiError 500 for what cannot be sent. */
function assertReply(id: string, status: number, body: unknown): void {
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw failed(id, `it replied with the status ${status}: expected 200 to 599.`)
  if (body instanceof Response)
    throw failed(id, 'it returned a Response. Return the body, or reply(status, body).')
  if (body instanceof ApiError) throw failed(id, 'it returned an error. Throw it.')
  if (body === undefined) return
  if (bodiless.has(status))
    throw failed(
      id,
      `it replied with the status ${status} and a body, which such a reply cannot have.`,
    )
  assertJsonBody(id, body)
}

function assertJsonBody(id: string, body: unknown): void {
  let text: string | undefined
  try {
    text = toJson(body)
  } catch (error) {
    throw failed(id, `its reply cannot be written as JSON: ${toReason(error)}`)
  }
  if (text === undefined)
    throw failed(id, `its reply cannot be written as JSON: it is a ${typeof body}.`)
}

function findExtra(body: unknown, parsed: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || typeof parsed !== 'object' || parsed === null)
    return undefined
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue
    if (!Object.hasOwn(parsed, name)) return name
    const below = findExtra(value, (parsed as Record<string, unknown>)[name])
    if (below !== undefined) return `${name}.${below}`
  }
  return undefined
}

/** The values that `reply` and `next` return. */
class HandlerReply implements OwnReply {
  readonly status: number
  readonly outcome: Outcome

  constructor(outcome: Outcome) {
    this.status = outcome.status
    this.outcome = outcome
  }

  get body(): unknown {
    if (!this.outcome.events) return this.outcome.body
    throw new TypeError(
      'the built-in reply is a stream, which a handler cannot read or change. Return next() itself.',
    )
  }
}

type HandlerContext = OperationContext<Fields>

interface ContextParts extends Pick<HandlerContext, 'params' | 'query' | 'body' | 'next'> {
  readonly exchange: AuthenticatedExchange
  readonly emits: readonly string[]
  readonly inWorlds: InWorlds
}

function createContext(parts: ContextParts): HandlerContext {
  const { exchange, params, query, body, next, inWorlds } = parts
  const { caller, request, now } = exchange
  const world = exchange.world as LiveWorld
  const { key, account, plan } = caller
  let records: WorldRecords | undefined
  const toRecords = () =>
    (records ??= toWorldRecords(world, (definition) => exchange.collection(definition)))
  return {
    params,
    query,
    body,
    headers: request.headers as Readonly<Record<string, string>>,
    caller: { key, account, plan },
    world: world.name,
    now,
    get records() {
      return toRecords()
    },
    collection({ name }) {
      if (!world.collections.some((known) => known.name === name))
        throw codedError(
          'GREENHOUSE_UNKNOWN_NAME',
          `Failed to use the collection ${quote(name)}: this Greenhouse does not have it. Add it to "collections".`,
        )
      return toRecords()[name as keyof WorldRecords] as never
    },
    id: (prefix) => createId(exchange, world, prefix),
    random: () => world.random('own').next(),
    emit: (type, data, app) => emit(parts, type, data, app),
    assume(id) {
      inWorlds.assumptions.find(id, 'read')
      return exchange.assume(id as never)
    },
    reply: (status, content) => new HandlerReply({ status, body: content }),
    error: (status, message, code = codeOfStatus(status)) =>
      toOperationError(status, message, code),
    next,
  }
}

function createId(exchange: AuthenticatedExchange, world: LiveWorld, prefix: string): string {
  const own = world.collections.filter(({ isOwn }) => isOwn)
  const isTaken = (id: RecordKey) =>
    own.some((definition) => exchange.collection(definition).get(id))
  return newId({ get: (id) => (isTaken(id) ? {} : undefined) }, world.random('own ids'), prefix)
}

function emit(
  { exchange, emits, inWorlds: { events } }: ContextParts,
  type: string,
  data: Fields,
  app: string | undefined,
): void {
  if (!emits.includes(type))
    throw codedError(
      'GREENHOUSE_UNKNOWN_NAME',
      `Failed to emit the event ${quote(type)}: the operation does not name it in "emits".${suggest(type, emits)}`,
    )
  const schema = Object.hasOwn(events, type) && events[type]
  const issue = schema && schema.safeParse(data, withoutMessages).error?.issues[0]
  if (schema && issue)
    throw codedError(
      'GREENHOUSE_INVALID_DEFINITION',
      `Failed to emit the event ${quote(type)}: ${toSentence(issue, schema, data)}`,
    )
  exchange.emit(type, app ?? null, data)
}

function codeOfStatus(status: number): string {
  const known = Object.entries(errors).find(
    ([code, error]) => error.status === status && !special.has(code),
  )
  return known?.[0] ?? `error_${status}`
}

const special = new Set(['missing_api_key'])

function toOperationError(status: number, message: string, code: string): Error {
  if (!Number.isInteger(status) || status < 400 || status > 599)
    throw codedError(
      'GREENHOUSE_INVALID_VALUE',
      `Failed to create an error with the status ${status}: expected 400 to 599.`,
    )
  // `dispatch` recognizes an `ApiError` by its class. It is not an `Error`, because nobody reads
  // its stack.
  return new ApiError(code as ErrorCode, message, status) as unknown as Error
}
