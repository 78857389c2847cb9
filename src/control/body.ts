import type { IncomingMessage } from 'node:http'
import en from 'zod/v4/locales/en.js'
import type * as z from 'zod/mini'
import { hasBody, readBody } from '../adapters/node.ts'
import { JsonError, parseJson } from '../core/json.ts'
import { ControlError } from './errors.ts'

const inEnglish = { error: en().localeError }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a JSON body, large integers exact; no body is an empty object. @throws ControlError */
export async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  const bytes = hasBody(request) ? await readBody(request, limit) : new Uint8Array()
  if (bytes === 'too-large') throw new ControlError(413, 'payload_too_large', `The body is larger than ${limit} bytes.`)
  if (bytes.length === 0) return {}
  const value = parse(bytes)
  assertNoPrototype(value)
  return value
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(utf8.decode(bytes))
  } catch (error) {
    if (error instanceof JsonError) throw invalid(error.message)
    throw invalid('The body is not valid UTF-8.')
  }
}

/** The schemas pass over this one name, as if it had not been sent. */
function assertNoPrototype(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) throw invalid('The name "__proto__" is none that a body can have.')
  for (const member of Object.values(value)) assertNoPrototype(member)
}

/** A value as a schema has it. @throws ControlError that says where it is wrong. */
export function check<T>(schema: z.ZodMiniType<T>, value: unknown, place = ''): T {
  const result = schema.safeParse(value, inEnglish)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw invalid([place, ...issue!.path].filter((step) => step !== '').map(String).join('.').replace(/(.)$/, '$1: ') + issue!.message)
}

export function invalid(message: string): ControlError {
  return new ControlError(400, 'invalid_request', message)
}
