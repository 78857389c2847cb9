import type { ServerResponse } from 'node:http'
import { toBytes, type Reply } from '../core/reply.ts'

/** Sends a reply that does not leave whole and at once, or what happens on the connection in its place. */
export function sendFaulty(response: ServerResponse, { status, headers, body, wire = {} }: Reply): void {
  const { socket } = response
  if (!socket || socket.destroyed) return
  switch (wire.instead) {
    case 'timeout':
      return
    case 'reset':
      socket.resetAndDestroy()
      return
    case 'network-error':
      socket.destroy()
      return
    case 'empty-reply':
      socket.end()
      return
    case 'garbage':
      socket.end(wire.garbage!)
      return
  }
  const sent: Record<string, string | string[]> = { ...headers }
  for (const name of wire.repeated ?? [])
    for (const known of Object.keys(headers)) if (known.toLowerCase() === name.toLowerCase()) sent[known] = [headers[known]!, headers[known]!]
  response.writeHead(status, sent)
  if (body === null) response.end()
  else sendBody(response, toBytes(body), wire).catch(() => socket.destroy())
}

async function sendBody(response: ServerResponse, body: Uint8Array, { pieces = whole, cutAt = Infinity }: NonNullable<Reply['wire']>): Promise<void> {
  let left = cutAt
  response.flushHeaders()
  for await (const piece of pieces(body)) {
    if (response.destroyed) return
    const part = piece.subarray(0, left)
    left -= part.length
    if (part.length > 0) await new Promise<void>((resolve) => response.write(part, () => resolve()))
    if (left > 0) continue
    response.socket?.end()
    return
  }
  response.end()
}

async function* whole(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body
}
