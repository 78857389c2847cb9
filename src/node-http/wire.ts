import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { markSent, toBytes, type Reply } from '../core/http/reply.ts'
import { failToSend, reportWhenSent } from './departure.ts'
import { whenClosed } from './when-closed.ts'

/** The most bytes of a body to write at a time. The journal records what a lost client received to this precision. */
export const maxAtOnce = 2 ** 18

export function sendInPieces(response: ServerResponse, reply: Reply): void {
  const { socket } = response
  if (socket) sendOn(socket, response, reply)
  // With pipelining, its turn is still to come.
  else if (!response.destroyed && !response.req.socket.destroyed) {
    const forget = whenClosed(response.req.socket, () => markSent(reply, 0, true))
    response.once('socket', () => {
      forget()
      void Promise.resolve().then(() => sendInTurn(response, reply))
    })
  } else markSent(reply, 0, true)
}

function sendInTurn(response: ServerResponse, reply: Reply): void {
  try {
    if (response.socket) sendOn(response.socket, response, reply)
  } catch (error) {
    failToSend(response, reply, error)
  }
}

function sendOn(socket: Socket, response: ServerResponse, reply: Reply): void {
  const { status, headers, body, wire = {} } = reply
  if (socket.destroyed) return markSent(reply, 0, true)
  if (wire.instead === 'timeout') return void whenClosed(socket, () => markSent(reply, 0, true))
  if (wire.instead) markSent(reply, 0, true)
  switch (wire.instead) {
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
    for (const known of Object.keys(headers))
      if (known.toLowerCase() === name.toLowerCase()) sent[known] = [headers[known]!, headers[known]!]
  response.writeHead(status, sent)
  if (body !== null) return void sendBody(socket, response, reply, toBytes(body))
  response.end()
  reportWhenSent(response, reply)
}

/** Resets a TCP connection; others, such as TLS, have no reset and are cut. */
function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy()
  } catch {
    socket.destroy()
  }
}

/** Never rejects. */
async function sendBody(socket: Socket, response: ServerResponse, reply: Reply, body: Uint8Array): Promise<void> {
  const { pieces = inLargePieces, cutAt = Infinity } = reply.wire ?? {}
  const closed = new AbortController()
  const forget = whenClosed(socket, () => closed.abort('The connection closed.'))
  let sent = 0
  try {
    response.flushHeaders()
    for await (const piece of pieces(body, closed.signal)) {
      if (socket.destroyed) break
      const part = piece.subarray(0, cutAt - sent)
      if (part.length > 0 && (await writePiece(socket, response, part))) sent += part.length
      if (sent < cutAt) continue
      markSent(reply, sent, true)
      return socket.destroySoon()
    }
    if (!socket.destroyed) response.end()
    reportWhenSent(response, reply, sent)
  } catch {
    markSent(reply, sent, true)
    socket.destroy()
  } finally {
    forget()
  }
}

function writePiece(socket: Socket, response: ServerResponse, part: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    const close = () => resolve(false)
    socket.once('close', close)
    response.write(part, (error) => {
      socket.off('close', close)
      resolve(!error)
    })
  })
}

async function* inLargePieces(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += maxAtOnce) yield body.subarray(at, at + maxAtOnce)
}
