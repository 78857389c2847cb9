import type { IncomingMessage } from 'node:http'
import { concatBytes } from '../core/http/reply.ts'
import type { ParsedHeaders } from './node-request.ts'

export function hasBody({ headers }: { readonly headers: ParsedHeaders }): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

/**
 * Reads a body to the end, even past the limit: a client that is still sending would not read the
 * reply.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<Uint8Array | 'too-large'> {
  return new Promise((resolve) => collectBody(request, limit, false, resolve))
}

/**
 * Calls back with the complete body; never, if the client disconnects. @param isPassedOn leaves all
 * of one that is too large unread
 */
export function collectBody(
  request: IncomingMessage,
  limit: number,
  isPassedOn: boolean,
  done: (body: Uint8Array | 'too-large') => void,
): void {
  let chunks: Buffer[] = []
  let length = 0
  const end = () => {
    if (length > limit) return done('too-large')
    // Node has copied each chunk.
    const [first] = chunks
    return done(first && chunks.length === 1 ? first : concatBytes(chunks))
  }
  const collect = (chunk: Buffer) => {
    length += chunk.length
    if (length <= limit || isPassedOn) chunks.push(chunk)
    else chunks = []
    if (length <= limit || !isPassedOn) return
    request.off('data', collect).off('end', end).pause().unshift(concatBytes(chunks))
    done('too-large')
  }
  request.on('data', collect).on('end', end)
}
