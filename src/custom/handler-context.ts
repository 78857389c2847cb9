import type { AssumptionRegistry } from '../core/contract/assumptions.ts'
import { ApiError, type ErrorCode, errors } from '../core/contract/errors.ts'
import { codedError } from '../core/text/error-codes.ts'
import { quote, suggest } from '../core/text/messages.ts'
import type { Fields, Texts } from '../core/text/values.ts'
import type { Outcome } from '../core/http/reply.ts'
import type { Area } from '../core/pipeline/area.ts'
import type { AuthenticatedExchange } from '../core/pipeline/operation.ts'
import type { RecordKey } from '../core/store/collection.ts'
import { toSentence, withoutMessages } from '../core/store/validation-message.ts'
import { newId } from '../core/time/random.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { toWorldRecords, type WorldRecords } from '../catalogue/records.ts'
import type { OperationContext, OwnReply } from './definitions.ts'

/** The parts of their Greenhouse that handlers use. */
export interface HandlerServices {
  readonly assumptions: AssumptionRegistry
  /** The events of users, with the schemas of their data. */
  readonly events: Area['eventSchemas']
}

/** The result of `reply` and `next`: a reply whose status is chosen. */
export class HandlerReply implements OwnReply {
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
  readonly services: HandlerServices
}

export function createContext(parts: ContextParts): HandlerContext {
  const { exchange, params, query, body, next, services } = parts
  const { caller, request, now } = exchange
  const world = exchange.world
  const { key, account, plan } = caller
  const records = toWorldRecords(world, (definition) => exchange.collection(definition))
  return {
    params,
    query,
    body,
    headers: request.headers as Texts,
    caller: { key, account, plan },
    world: world.name,
    now,
    records,
    collection({ name }) {
      if (!world.collections.some((known) => known.name === name))
        throw codedError(
          'GREENHOUSE_UNKNOWN_NAME',
          `Failed to use the collection ${quote(name)}: this Greenhouse does not have it. Add it to "collections".`,
        )
      return records[name as keyof WorldRecords] as never
    },
    id: (prefix) => createId(exchange, world, prefix),
    random: () => world.random('own').next(),
    emit: (type, data, app) => emit(parts, type, data, app),
    assume(id) {
      // This throws for an unknown id.
      services.assumptions.find(id, 'read')
      return exchange.assume(id as never)
    },
    reply: (status, content) =>
      new HandlerReply({
        status,
        body: content,
      }),
    error: (status, message, code = codeOfStatus(status)) =>
      toOperationError(status, message, code),
    next,
  }
}

/** Returns a random id that no record in a collection of a user has. */
function createId(exchange: AuthenticatedExchange, world: LiveWorld, prefix: string): string {
  const own = world.collections.filter(({ isOwn }) => isOwn)
  const isTaken = (id: RecordKey) =>
    own.some((definition) => exchange.collection(definition).get(id))
  return newId({ get: (id) => (isTaken(id) ? {} : undefined) }, world.random('own ids'), prefix)
}

function emit(
  { exchange, emits, services: { events } }: ContextParts,
  type: string,
  data: Fields,
  app: string | undefined,
) {
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

/** A code that no error gets by its status alone: for 401, that is `invalid_api_key`. */
const excludedCode: string = 'missing_api_key'

/** Returns the code of the built-in error with a status, or one that is made of the status. */
export function codeOfStatus(status: number): string {
  const known = Object.entries(errors).find(
    ([code, error]) => error.status === status && code !== excludedCode,
  )
  return known?.[0] ?? `error_${status}`
}

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
