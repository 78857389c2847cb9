import type { IncomingMessage } from 'node:http'
import { hasBody, readBody } from '../../node-http/listener.ts'
import { invalid, parseJsonBody } from '../body.ts'
import { ControlError } from '../errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a JSON body, large integers exact; no body is an empty object. @throws ControlError */
export async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  const bytes = hasBody(request) ? await readBody(request, limit) : new Uint8Array()
  if (bytes === 'too-large') throw new ControlError(413, 'payload_too_large', `The body is larger than ${limit} bytes.`)
  return parseJsonBody(decode(bytes))
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}
