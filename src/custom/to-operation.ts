import { codedError } from '../core/text/error-codes.ts'
import * as z from 'zod/mini'
import { eventTypes } from '../areas/event-types.ts'
import type { Assume, AssumptionRegistry } from '../core/contract/assumptions.ts'
import {
  ApiError,
  type ErrorCode,
  errors,
  printFailure,
  toReason,
} from '../core/contract/errors.ts'
import type { JsonSchema } from '../core/contract/json-schema.ts'
import { briefMessage, describeProblem, quote, suggest } from '../core/text/messages.ts'
import { toJson } from '../core/http/json.ts'
import { bodiless, type Outcome } from '../core/http/reply.ts'
import type { DeclaredError, Exchange, Input } from '../core/pipeline/exchange.ts'
import type { Area, Operation } from '../core/pipeline/operation.ts'
import type { QueryParameters } from '../core/pipeline/query.ts'
import type { RecordKey } from '../core/store/collection.ts'
import { toSentence, withoutMessages } from '../core/store/validation-message.ts'
import { newId } from '../core/time/random.ts'
import { DuplicateKeyError } from '../core/store/records.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { WorldRecords } from '../api/records.ts'
import { toWorldRecords } from '../api/world-start.ts'
import type { OperationContext, OwnOperation, OwnReply } from './definitions.ts'
import { leavesOf, type OwnSchema, toParts, toZod, valueTypesOf } from './schema.ts'

/** What handlers use of the Greenhouse that they run in. */
export interface InWorlds {
  readonly assumptions: AssumptionRegistry
  /** The events of users, with the schemas of their data. */
  readonly events: Area['eventSchemas']
}

export function toOperation(
  { id, options }: OwnOperation,
  overridden: Operation | undefined,
  inWorlds: InWorlds,
): Operation {
  const emits = [...Object.keys(options.emits ?? {}), ...eventTypes]
  const { method = overridden?.method ?? 'GET', path = overridden?.path ?? '/' } = options
  const of = (part: string) => `The ${part} of the operation ${quote(id)}`
  const params = options.params && createReader(options.params, of('params'))
  if (params) assertInPath(of('params'), path, Object.keys(params.known))
  const query = options.query && createReader(options.query, of('query'))
  const body = options.body && toZod(options.body, of('body'), ['input'])
  if (body) assertBody(of('body'), method, body)
  const result = options.result && toZod(options.result, of('result'), ['output'])
  const statuses = options.status === undefined ? undefined : [options.status].flat()
  if (result && (statuses ?? [200]).every((status) => bodiless.has(status)))
    throw codedError(
      'GREENHOUSE_INVALID_DEFINITION',
      `${of('result')} is never sent, because a reply with the status ${String(options.status)} has no body.`,
    )
  return {
    ...overridden,
    isOwn: true,
    id,
    method,
    path,
    title: options.title ?? overridden?.title ?? id,
    source: 'ours',
    scope: (options.scope ?? overridden?.scope ?? 'any') as Operation['scope'],
    // What depends on assumptions in the built-in operation would come first.
    ...(query && { query: query.known, queryUnder: () => query.known }),
    ...(body && { body, bodyUnder: () => ({}) }),
    ...(result && { result, resultUnder: () => result }),
    ...(options.example && { example: options.example }),
    ...((!overridden || statuses) && { statuses: () => statuses ?? (result ? [200] : [200, 204]) }),
    errors: (assume) => [
      ...(overridden?.errors?.(assume) ?? []),
      ...(options.errors ?? []).map((status): DeclaredError => [
        codeOfStatus(status) as ErrorCode,
        status,
      ]),
    ],
    ...((params || !overridden) && { params: params?.known ?? {} }),
    // A GET may write too: it counts as a request like any other.
    writes: true,
    handle(exchange, input) {
      const values = {
        params: params?.read((name) => [input.params[name]!]) ?? input.params,
        query: query?.read((name) => input.query.getAll(name)) ?? Object.fromEntries(input.query),
      }
      const assume: Assume = (assumptions, which) => exchange.assume(assumptions, which)
      const context = createContext(exchange, input, values, inWorlds, overridden, emits)
      return toOutcome(
        id,
        call(id, () => options.handle(context)),
        (statuses ?? overridden?.statuses?.(assume))?.[0],
        result ?? overridden?.resultUnder?.(assume) ?? overridden?.result,
        result !== undefined,
      )
    },
  }
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
  return new ApiError('internal_error').because(
    briefMessage(`The handler of the operation "${id}" failed: ${reason}`),
  )
}

/**
 * Converts what a handler returned. @param defaultStatus the status unless the handler chooses one;
 * 200 or 204 if undefined.
 * @throws ApiError 500 for a body that does not match the schema `result`.
 */
function toOutcome(
  id: string,
  returned: unknown,
  defaultStatus: number | undefined,
  result: z.ZodMiniType | undefined,
  isCustomResult: boolean,
): Outcome {
  if (returned instanceof HandlerReply && returned.outcome.events) return returned.outcome
  const { status, body } =
    returned instanceof HandlerReply
      ? returned
      : { status: defaultStatus ?? (returned === undefined ? 204 : 200), body: returned }
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw failed(id, `it replied with the status ${status}: expected 200 to 599.`)
  if (body instanceof Response)
    throw failed(id, 'it returned a Response. Return the body, or reply(status, body).')
  if (body instanceof ApiError) throw failed(id, 'it returned an error. Throw it.')
  if (body === undefined) {
    if (isCustomResult && status < 300 && returned === undefined)
      throw failed(id, 'it returned nothing, and has a "result".')
    return { status }
  }
  if (bodiless.has(status))
    throw failed(
      id,
      `it replied with the status ${status} and a body, which such a reply cannot have.`,
    )
  assertWritable(id, body)
  const parsed = status < 300 ? result?.safeParse(body, withoutMessages) : undefined
  const issue = parsed?.error?.issues[0]
  if (issue)
    throw failed(id, `its reply does not match "result": ${toSentence(issue, result!, body)}`)
  const extra = isCustomResult && parsed ? findExtra(body, parsed.data) : undefined
  if (extra !== undefined)
    throw failed(id, `its reply has the field ${quote(extra)}, which "result" does not have.`)
  return { status, body }
}

function assertWritable(id: string, body: unknown): void {
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

function assertInPath(what: string, path: string, names: readonly string[]): void {
  const known = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!)
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

function createReader(given: OwnSchema, owner: string) {
  const schema = toZod(given, owner, ['input'])
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  const { properties = {} } = toParts(schema, owner, 'input')
  if (def.type !== 'object')
    throw codedError(
      'GREENHOUSE_INVALID_DEFINITION',
      `${owner} takes the schema of an object, with a field for each parameter.`,
    )
  const names = Object.keys(def.shape)
  const known: QueryParameters = Object.fromEntries(
    names.map((name) => [name, toParameter(properties[name] ?? {}, def.shape[name]!, name)]),
  )
  return {
    known,
    read(textsOf: (name: string) => readonly string[]): Readonly<Record<string, unknown>> {
      const sent: Record<string, unknown> = {}
      const problems: string[] = []
      for (const name of names) {
        const texts = textsOf(name)
        if (texts.length === 0) continue
        sent[name] = toValue(texts, properties[name] ?? {})
        const problem = known[name]!.check!(texts[0]!, texts)
        if (problem !== undefined) problems.push(`${name} ${problem}.`)
      }
      if (problems.length > 0) throw new ApiError('invalid_request', problems.join(' '))
      const { success, data, error } = schema.safeParse(sent, withoutMessages)
      if (success) return data as Record<string, unknown>
      throw new ApiError(
        'invalid_request',
        error.issues.map((issue) => toSentence(issue, schema, sent)).join(' '),
      )
    },
  }
}

function toParameter(
  json: JsonSchema,
  schema: z.core.$ZodType,
  name: string,
): QueryParameters[string] {
  const { description = '', default: fallback, ...rest } = json
  return {
    description,
    schema: rest as Readonly<Record<string, unknown>>,
    ...(fallback !== undefined && { default: String(fallback) }),
    ...(findList(json) && { isList: true }),
    check(text, all = [text]) {
      const value = toValue(all, json)
      try {
        const { issues } = (schema as z.ZodMiniType).safeParse(value, withoutMessages).error ?? {
          issues: [],
        }
        const sentence =
          issues[0] &&
          toSentence({ ...issues[0], path: [name] }, z.object({ [name]: schema }), {
            [name]: value,
          })
        // The caller adds the name and the full stop.
        return sentence?.slice(name.length + 1, -1)
      } catch (error) {
        const reason = toReason(error)
        // Zod refuses an asynchronous schema, which is not the client's fault. The user's copy of
        // Zod has its own classes.
        if (reason.includes('.parseAsync()')) throw error
        return `is not valid: ${reason.replace(/\.$/, '')}`
      }
    },
  }
}

function toValue(texts: readonly string[], schema: JsonSchema): unknown {
  const list = findList(schema)
  return list ? texts.map((text) => toSingle(text, list.items ?? {})) : toSingle(texts[0]!, schema)
}

function findList(schema: JsonSchema): JsonSchema | undefined {
  return leavesOf(schema).find(({ type }) => type === 'array')
}

function toSingle(text: string, schema: JsonSchema): unknown {
  const types = valueTypesOf(schema)
  if (types.includes('string')) return text
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** What `reply` and `next` return. */
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

type HandlerContext = OperationContext<Readonly<Record<string, unknown>>>

function createContext(
  exchange: Exchange,
  input: Input<unknown>,
  values: Pick<HandlerContext, 'params' | 'query'>,
  { assumptions, events }: InWorlds,
  overridden: Operation | undefined,
  emits: readonly string[],
): HandlerContext {
  const { caller, request, now } = exchange
  const world = exchange.world as LiveWorld
  const { key, account, plan } = caller!
  let records: WorldRecords | undefined
  const toRecords = () =>
    (records ??= toWorldRecords(world, (definition) => exchange.collection(definition)))
  return {
    ...values,
    body: input.body,
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
    id(prefix) {
      const own = world.collections.filter(({ isOwn }) => isOwn)
      const isTaken = (id: RecordKey) =>
        own.some((definition) => exchange.collection(definition).get(id))
      return newId({ get: (id) => (isTaken(id) ? {} : undefined) }, world.random('own ids'), prefix)
    },
    random: () => world.random('own').next(),
    emit(type, data, app) {
      if (!emits.includes(type))
        throw codedError(
          'GREENHOUSE_UNKNOWN_NAME',
          `Failed to emit the event ${quote(type)}: the operation does not name it in "emits".${suggest(type, emits)}`,
        )
      const schema = Object.hasOwn(events, type) ? events[type] : undefined
      const issue = schema?.safeParse(data, withoutMessages).error?.issues[0]
      if (issue)
        throw codedError(
          'GREENHOUSE_INVALID_DEFINITION',
          `Failed to emit the event ${quote(type)}: ${toSentence(issue, schema!, data)}`,
        )
      exchange.emit(type, app ?? null, data)
    },
    assume(id) {
      assumptions.find(id, 'read')
      return exchange.assume({}, id as never)
    },
    reply: (status, body) => new HandlerReply({ status, body }),
    error: (status, message, code = codeOfStatus(status)) => toError(status, message, code),
    next() {
      if (!overridden)
        throw codedError(
          'GREENHOUSE_INVALID_DEFINITION',
          'Failed to call next(): the operation overrides none.',
        )
      const outcome = overridden.handle(exchange, input)
      // Copies the body, which may be cached.
      return new HandlerReply(
        outcome.events ? outcome : { status: outcome.status, body: structuredClone(outcome.body) },
      )
    },
  }
}

function codeOfStatus(status: number): string {
  const known = Object.entries(errors).find(
    ([code, error]) => error.status === status && !special.has(code),
  )
  return known?.[0] ?? `error_${status}`
}

const special = new Set(['missing_api_key'])

function toError(status: number, message: string, code: string): Error {
  if (!Number.isInteger(status) || status < 400 || status > 599)
    throw codedError(
      'GREENHOUSE_INVALID_VALUE',
      `Failed to create an error with the status ${status}: expected 400 to 599.`,
    )
  // `dispatch` recognizes an `ApiError` by its class. It is not an `Error`, because nobody reads
  // its stack.
  return new ApiError(code as ErrorCode, message, status) as unknown as Error
}
