import { ApiError, errors, type ErrorCode } from '../../core/definitions/errors.ts'
import { quote } from '../../core/definitions/quote.ts'
import { suggest } from '../../core/definitions/suggest.ts'
import type { Outcome } from '../../core/http/outcome.ts'
import type { Input } from '../../core/pipeline/endpoint.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import type { Operation } from '../../core/pipeline/operation.ts'
import type { RecordKey } from '../../core/store/collection.ts'
import type * as z from 'zod/mini'
import { withoutMessages } from '../../core/store/issue-message.ts'
import { toSentence } from '../../core/store/validation-message.ts'
import { newId } from '../../core/store/new-id.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import type { Catalogue } from '../assembly/make-catalogue.ts'
import type { WorldRecords } from '../records.ts'
import { toWorldRecords } from '../world-records.ts'
import type { OperationContext, OwnReply } from './definitions.ts'

export interface OperationSetting {
  readonly catalogue: () => Catalogue
  readonly overridden: Operation | undefined
  readonly events: readonly string[]
  readonly dataOf: Readonly<Record<string, z.ZodMiniType>>
}

export class ChosenReply implements OwnReply {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    this.status = status
    this.body = body
  }
}

export class StreamedReply implements OwnReply {
  readonly status: number
  readonly #outcome: Outcome

  constructor(outcome: Outcome) {
    this.status = outcome.status
    this.#outcome = outcome
  }

  get body(): never {
    throw new TypeError('the built-in reply is a stream, which a handler cannot read or change. Return next() itself.')
  }

  toOutcome(): Outcome {
    return this.#outcome
  }
}

export function createContext(
  exchange: Exchange,
  input: Input<unknown>,
  values: Pick<OperationContext, 'params' | 'query'>,
  { catalogue, overridden, events, dataOf }: OperationSetting,
): OperationContext {
  const { caller, world, request, now } = exchange
  const { key, account, plan } = caller!
  let records: WorldRecords | undefined
  const toRecords = () =>
    (records ??= toWorldRecords(world as LiveWorld, catalogue(), (definition) => exchange.collection(definition)))
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
      if (!Object.hasOwn(catalogue().definitions, name))
        throw new RangeError(
          `Failed to use the collection ${quote(name)}: this Greenhouse does not have it. Add it to "collections".`,
        )
      return toRecords()[name as keyof WorldRecords] as never
    },
    id(prefix) {
      const own = catalogue().collections.filter(({ isOwn }) => isOwn)
      const isTaken = (id: RecordKey) => own.some((definition) => exchange.collection(definition).get(id))
      return newId({ get: (id) => (isTaken(id) ? {} : undefined) }, world.random('own ids'), prefix)
    },
    random: () => world.random('own').next(),
    emit(type, data, app) {
      if (!events.includes(type))
        throw new RangeError(
          `Failed to emit the event ${quote(type)}: the operation does not name it in "emits".${suggest(type, events)}`,
        )
      const schema = Object.hasOwn(dataOf, type) ? dataOf[type] : undefined
      const issue = schema?.safeParse(data, withoutMessages).error?.issues[0]
      if (issue) throw new TypeError(`Failed to emit the event ${quote(type)}: ${toSentence(issue, schema!, data)}`)
      exchange.emit(type, app ?? null, data)
    },
    assume(id) {
      catalogue().assumptionRegistry.find(id, 'read')
      return exchange.assume({}, id as never)
    },
    reply: (status, body) => new ChosenReply(status, body),
    error: (status, message, code = codeOfStatus(status)) => toError(status, message, code),
    next() {
      if (!overridden) throw new TypeError('Failed to call next(): the operation overrides none.')
      const outcome = overridden.handle(exchange, input)
      const { status, body, events } = outcome
      if (events) return new StreamedReply(outcome)
      // Copies the body, which may be cached.
      return new ChosenReply(status, structuredClone(body))
    },
  }
}

export function codeOfStatus(status: number): string {
  const known = Object.entries(errors).find(([code, error]) => error.status === status && !special.has(code))
  return known?.[0] ?? `error_${status}`
}

const special = new Set(['missing_api_key'])

function toError(status: number, message: string, code: string): Error {
  if (!Number.isInteger(status) || status < 400 || status > 599)
    throw new RangeError(`Failed to create an error with the status ${status}: expected 400 to 599.`)
  // `dispatch` recognizes an `ApiError` by its class. It is not an `Error`, because nobody reads its stack.
  return new ApiError(code as ErrorCode, message, status) as unknown as Error
}
