import type * as z from 'zod/mini'
import type { Assume, Assuming } from '../contract/assumptions.ts'
import { ApiError, invalidRequest, type ProblemList, Rejection } from '../contract/errors.ts'
import {
  describeBrokenRule,
  type JsonSchema,
  toJsonSchemaProblem,
} from '../contract/json-schema.ts'
import { isObject } from '../contract/options.ts'
import { brief, describeProblem, quote } from '../text/messages.ts'
import { JsonError, parseJson } from '../http/json.ts'
import { isJsonInUtf8 } from '../http/json-type.ts'
import { headerOf, type ServiceRequest } from '../http/request.ts'
import { copied, decodeIfValid, type Fields, type Texts } from '../text/values.ts'
import {
  innermostOf,
  toPathText,
  toSentence,
  withoutMessages,
} from '../store/validation-message.ts'
import type { Area } from './area.ts'
import type { Exchange } from './exchange.ts'
import { type Input, type Operation, parametersOf } from './operation.ts'
import { checkQuery, checkQueryNames } from './list-query.ts'

/** The limit is that of Stripe's API. */
export const idempotencyKeySchema: JsonSchema = {
  type: 'string',
  maxLength: 255,
}

/** Compared by identity: it stands for every request without a query. */
const noQuery = new URLSearchParams()

const nothingSent = Object.freeze({})

/** Reads what an operation gets of a request. Throws an `ApiError` that names all mistakes. */
export function readInput(exchange: Exchange, operation: Operation, params: Texts): Input<unknown> {
  const { request, area } = exchange
  // A body that may be left out counts as an empty object, unless its schema says what it is then.
  const isLeftOut = operation.bodyIsOptional && !request.body?.length
  const sent = operation.body && !isLeftOut ? readJsonObject(request) : nothingSent
  const query = readQuery(request.search)
  const decoded = decodeParams(params)
  // Without a query and a body, there is nothing to check.
  if (query === noQuery && !operation.body)
    return {
      params: decoded,
      query,
      body: undefined,
      sent,
    }

  // Each check adds its mistakes, and one reply names them all.
  const rejection = new Rejection()
  if (operation.query) checkQuery(query, operation.query, rejection)
  const body = checkBody(
    {
      area,
      operation,
      exchange,
    },
    sent,
    rejection,
  )
  if (operation.body && area.rejectsUnknownFields(exchange))
    checkFieldNames(sent, operation.body, rejection)
  if (query.size > 0 && area.rejectsUnknownQuery(exchange))
    checkQueryNames(query, Object.keys(parametersOf(operation, bindAssume(exchange))), rejection)
  rejection.throwIfAny()
  return {
    params: decoded,
    query,
    body,
    sent,
  }
}

/** Returns the method as a function, which rules take. */
function bindAssume(exchange: Assuming): Assume {
  return (id) => exchange.assume(id)
}

/** The source of the rules for the body of a request. */
interface BodyRules {
  readonly area: Area
  readonly operation: Operation
  readonly exchange: Assuming
}

/**
 * Checks a body by all rules of its operation and area. Returns the body as the operation takes it;
 * `undefined` if the schema refuses it.
 */
export function checkBody(
  { area, operation, exchange }: BodyRules,
  sent: Fields,
  rejection: ProblemList,
): unknown {
  const { body: schema, bodyUnder, exclusive } = operation
  if (!schema) return undefined
  const body = checkSentBody(schema, sent, rejection)
  const longest = area.longestText?.(exchange)
  if (longest !== undefined) checkTextLengths(sent, { maxLength: longest }, rejection)
  if (exclusive?.every((name) => sent[name]))
    rejection.add(() => `${exclusive.join(' and ')} must not be sent together: send one of them.`)
  // A field that the schema refuses is already reported.
  if (body === undefined || !bodyUnder) return body
  for (const [name, rules] of Object.entries(bodyUnder(bindAssume(exchange)))) {
    if (!Object.hasOwn(sent, name)) continue
    const wrong = describeBrokenRule(name, sent[name], rules)
    if (wrong) rejection.add(() => wrong)
  }
  return body
}

/** Returns whether a schema says itself what stands for no body, by optional() or a default. */
export function mayBeLeftOut(schema: z.ZodMiniType): boolean {
  return ['optional', 'default', 'prefault'].includes(schema._zod.def.type)
}

const synchronous = { async: false }

function checkSentBody(schema: z.ZodMiniType, sent: unknown, rejection: ProblemList): unknown {
  const value = sent === nothingSent && mayBeLeftOut(schema) ? undefined : sent
  // `safeParse` takes 0.5 µs longer, to prepare for errors that most bodies do not have.
  const checked = schema._zod.run(
    {
      value,
      issues: [],
    },
    synchronous,
  ) as z.core.ParsePayload
  if (checked.issues.length === 0) return checked.value
  // Only now are the issues prepared, with all that their messages need.
  const { error } = schema.safeParse(sent, withoutMessages)
  for (const issue of error?.issues ?? []) rejection.add(() => toSentence(issue, schema, sent))
  return undefined
}

function decodeParams(params: Texts): Record<string, string> {
  const decoded: Record<string, string> = {}
  for (const name in params) decoded[name] = decodeOrReject(params[name]!, 'path')
  return decoded
}

/** Parsed queries, by text. Clients repeat theirs, and parsing costs as much as answering. */
const knownQueries = new Map<string, URLSearchParams>()
const maxKnownQueries = 256
const longestKnownQuery = 256

/** Parses a query. Throws 400 if its percent-encoding is not valid. */
function readQuery(search: string): URLSearchParams {
  if (search === '') return noQuery
  const known = knownQueries.get(search)
  if (known) return known
  decodeOrReject(search, 'query')
  const query = new URLSearchParams(search)
  if (search.length <= longestKnownQuery) {
    if (knownQueries.size >= maxKnownQueries) knownQueries.clear()
    knownQueries.set(copied(search), query)
  }
  return query
}

/** Parses any query, valid or not, for the rules that judge clients. */
export function parseQuery(search: string): URLSearchParams {
  return knownQueries.get(search) ?? new URLSearchParams(search)
}

function decodeOrReject(text: string, where: string): string {
  const decoded = decodeIfValid(text)
  if (decoded === undefined)
    throw invalidRequest(`The percent-encoding of the ${where} is not valid.`)
  return decoded
}

function readJsonObject(request: ServiceRequest): Record<string, unknown> {
  const encoding = headerOf(request, 'content-encoding')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError('unsupported_encoding')
  if (request.body === 'too-large') throw new ApiError('payload_too_large')
  if (!request.body?.length) throw invalidRequest('The body is missing: expected a JSON object.')
  if (!isJsonInUtf8(headerOf(request, 'content-type') ?? ''))
    throw new ApiError('unsupported_media_type')
  return parseBody(request.body)
}

export function parseBody(bytes: Uint8Array): Record<string, unknown> {
  const value = parseJsonBytes(bytes)
  if (!isObject(value)) throw invalidRequest('The body must be a JSON object.')
  return value
}

/** The most fields in a body: checking 45,000 of them against every rule takes 0.1 s. */
const maxFields = 10_000

let utf8: TextDecoder | undefined

function parseJsonBytes(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = (utf8 ??= new TextDecoder('utf-8', { fatal: true })).decode(bytes)
  } catch {
    throw invalidRequest('The body is not valid UTF-8.')
  }
  try {
    return parseJson(text, maxFields)
  } catch (error) {
    if (error instanceof JsonError) throw invalidRequest(error.message)
    throw error
  }
}

/** Checks all strings in a body, however deep. @param rules the limits of their lengths */
function checkTextLengths(
  sent: object,
  rules: JsonSchema,
  rejection: ProblemList,
  path: readonly PropertyKey[] = [],
): void {
  const pathTo = (name: string) => [...path, Array.isArray(sent) ? Number(name) : name]
  // `for…in` allocates no list of entries: a body may have tens of thousands of values.
  for (const name in sent) {
    const value = (sent as Record<string, unknown>)[name]
    if (typeof value === 'string') {
      const wrong = toJsonSchemaProblem(value, rules)
      if (wrong !== undefined) rejection.add(() => `${brief(toPathText(pathTo(name)))} ${wrong}.`)
    } else if (typeof value === 'object' && value !== null)
      checkTextLengths(value, rules, rejection, pathTo(name))
  }
}

/** Reports every field of a body that its schema does not have, however deep. */
export function checkFieldNames(
  sent: unknown,
  schema: z.core.$ZodType,
  rejection: ProblemList,
  path: readonly PropertyKey[] = [],
): void {
  if (typeof sent !== 'object' || sent === null) return
  const { def } = innermostOf(schema)._zod
  if (def.type === 'array' && Array.isArray(sent)) {
    for (const [index, item] of sent.entries())
      if (typeof item === 'object') checkFieldNames(item, def.element, rejection, [...path, index])
    return
  }
  if (def.type !== 'object' || Array.isArray(sent)) return
  const { shape } = def
  // `for…in` allocates no list of entries: a body may have tens of thousands of fields.
  for (const name in sent) {
    const field = shape[name]
    if (field === undefined || !Object.hasOwn(shape, name)) {
      rejection.add(() => describeUnknownField(path, name, Object.keys(shape)))
      continue
    }
    const value = (sent as Record<string, unknown>)[name]
    if (typeof value === 'object') checkFieldNames(value, field, rejection, [...path, name])
  }
}

function describeUnknownField(
  path: readonly PropertyKey[],
  name: string,
  known: readonly string[],
): string {
  const place = toPathText([...path, name])
  const fields = known.map((field) => toPathText([...path, field]))
  return describeProblem(`${quote(place)} is not a field of this request`, place, fields)
}
