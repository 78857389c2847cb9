import en from 'zod/v4/locales/en.js'
import { isJsonInUtf8 } from './content-type.ts'
import { ApiError } from './errors.ts'
import type { Input, Operation } from './operation.ts'
import { JsonError, parseJson } from './json.ts'
import { headerOf, type ServiceRequest } from './request.ts'

/** Says what is wrong; without it zod's mini build says `Invalid input` of everything. */
const inEnglish = { error: en().localeError }

const noQuery = new URLSearchParams()

const nothingSent = Object.freeze({})

/** Reads what an operation is given: decoded parameters, query and body. @throws ApiError 400 and its like when something is not valid. */
export function readInput(operation: Operation, params: Readonly<Record<string, string>>, request: ServiceRequest): Input<unknown> {
  const isLeftOut = operation.bodyIsOptional === true && request.body !== 'too-large' && !request.body?.length
  const sent = operation.body && !isLeftOut ? readJsonObject(request) : nothingSent
  return {
    params: decodeParams(params),
    query: readQuery(request.search),
    body: operation.body && toBody(operation.body, sent),
    sent,
  }
}

function toBody(schema: NonNullable<Operation['body']>, sent: unknown): unknown {
  // Parsed with messages only when it is wrong: that is four times as slow.
  const parsed = schema.safeParse(sent)
  if (parsed.success) return parsed.data
  throw new ApiError('invalid_request', describe(schema.safeParse(sent, inEnglish).error?.issues[0]))
}

function decodeParams(params: Readonly<Record<string, string>>): Record<string, string> {
  const decoded: Record<string, string> = {}
  for (const name in params) decoded[name] = decode(params[name]!, 'path')
  return decoded
}

function readQuery(search: string): URLSearchParams {
  if (search.includes('%')) decode(search, 'query')
  return search === '' ? noQuery : new URLSearchParams(search)
}

function decode(text: string, where: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ApiError('invalid_request', `The percent-encoding of the ${where} is not valid.`)
  }
}

function readJsonObject(request: ServiceRequest): Record<string, unknown> {
  const encoding = headerOf(request, 'content-encoding')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new ApiError('unsupported_encoding')
  if (request.body === 'too-large') throw new ApiError('payload_too_large')
  if (!request.body?.length) throw new ApiError('invalid_request', 'The body is missing: expected a JSON object.')
  if (!isJsonInUtf8(headerOf(request, 'content-type') ?? '')) throw new ApiError('unsupported_media_type')
  const value = parse(request.body)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError('invalid_request', 'The body must be a JSON object.')
  return value as Record<string, unknown>
}

let utf8: TextDecoder | undefined

function parse(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = (utf8 ??= new TextDecoder('utf-8', { fatal: true })).decode(bytes)
  } catch {
    throw new ApiError('invalid_request', 'The body is not valid UTF-8.')
  }
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonError) throw new ApiError('invalid_request', error.message)
    throw error
  }
}

function describe(issue: { path: PropertyKey[]; message: string } | undefined): string {
  const path = issue?.path.map(String).join('.')
  return path ? `${path}: ${issue!.message}` : (issue?.message ?? 'The request is not valid.')
}
