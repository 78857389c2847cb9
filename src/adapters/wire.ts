import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { toBytes, type Reply } from '../core/reply.ts'
import { whenClosed } from './when-closed.ts'

/** Sends a reply that does not leave whole and at once, or what happens on the connection in its place. */
export function sendFaulty(response: ServerResponse, reply: Reply): void {
  const { socket } = response
  if (socket) sendOn(socket, response, reply)
  // On a connection that others wait for too (pipelining), its turn has yet to come.
  else if (!response.destroyed) response.once('socket', () => void Promise.resolve().then(() => sendInTurn(response, reply)))
}

function sendInTurn(response: ServerResponse, reply: Reply): void {
  try {
    if (response.socket) sendOn(response.socket, response, reply)
  } catch (error) {
    console.error('Greenhouse failed to send a reply:', error)
    response.destroy()
  }
}

function sendOn(socket: Socket, response: ServerResponse, { status, headers, body, wire = {} }: Reply): void {
  if (socket.destroyed) return
  switch (wire.instead) {
    case 'timeout':
      return
    case 'reset':
      reset(socket)
      return
    case 'network-error':
      socket.destroy()
      return
    case 'empty-reply':
      socket.destroySoon()
      return
    case 'garbage':
      socket.write(wire.garbage!)
      socket.destroySoon()
      return
  }
  const sent: Record<string, string | string[]> = { ...headers }
  for (const name of wire.repeated ?? [])
    for (const known of Object.keys(headers)) if (known.toLowerCase() === name.toLowerCase()) sent[known] = [headers[known]!, headers[known]!]
  response.writeHead(status, sent)
  if (body === null) response.end()
  else sendBody(socket, response, toBytes(body), wire).catch(() => socket.destroy())
}

/** A connection that is no plain TCP, one under TLS say, knows no reset: there it is cut. */
function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy()
  } catch {
    socket.destroy()
  }
}

async function sendBody(socket: Socket, response: ServerResponse, body: Uint8Array, { pieces = whole, cutAt = Infinity }: NonNullable<Reply['wire']>): Promise<void> {
  let left = cutAt
  response.flushHeaders()
  for await (const piece of pieces(body, (tell) => whenClosed(socket, tell))) {
    if (socket.destroyed) return
    const part = piece.subarray(0, left)
    left -= part.length
    if (part.length > 0) await written(socket, response, part)
    if (left > 0) continue
    socket.destroySoon()
    return
  }
  response.end()
}

/** Waits until bytes have left, or the client has. */
function written(socket: Socket, response: ServerResponse, part: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('close', done)
      resolve()
    }
    socket.once('close', done)
    response.write(part, done)
  })
}

async function* whole(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body
}
