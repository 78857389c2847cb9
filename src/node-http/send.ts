import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { printFailure } from '../core/contract/errors.ts'
import {
  hasOwnLines,
  markSent,
  type Reply,
  toBytes,
  toRawHeaders,
  type Wire,
} from '../core/http/reply.ts'
import { setImmediate } from '../core/time/system-time.ts'
import { whenClosed, whenGone } from './watch-connection.ts'

/**
 * The most bytes of a body to write at a time. The journal records what a lost client received to
 * this precision.
 */
const maxAtOnce = 2 ** 18

const turn = Promise.resolve()

interface WaitingReply {
  readonly response: ServerResponse
  readonly reply: Reply
}

/**
 * Sends the replies of one turn together, because waking a client for each would cost more than the
 * replies.
 */
export class ReplyBatch {
  #waiting: WaitingReply[] = []
  readonly #flush = (): void => this.#sendAll()

  send(response: ServerResponse, reply: Reply): void {
    if (this.#waiting.push({ response, reply }) === 1) setImmediate(this.#flush)
  }

  #sendAll() {
    const ready = this.#waiting
    this.#waiting = []
    const whole = ready.filter(({ response, reply }) => sendUnsent(response, reply))
    // The system has taken as much as it has room for by then.
    void turn.then(() => {
      for (const { response, reply } of whole) reportWhenSent(response, reply)
    })
  }
}

/** Returns whether the whole reply was written, so that its end is still to be reported. */
function sendUnsent(response: ServerResponse, reply: Reply): boolean {
  try {
    // The reply has its own Date, or none.
    response.sendDate = false
    if (response.req.socket.destroyed) markSent(reply, 0, true)
    if (isSentWhole(reply)) sendWhole(response, reply)
    else void sendInPieces(response, reply)
    return isSentWhole(reply)
  } catch (error) {
    failToSend(response, reply, error)
    return false
  }
}

/**
 * Sends a reply with one `write`: `end(body)` adds an empty chunk, so Node calls `writev`, which
 * takes 11 % longer.
 */
function sendWhole(response: ServerResponse, reply: Reply) {
  const { body, length } = reply
  writeHead(response, reply)
  if (body !== null && body.length > 0) {
    response.cork()
    // If the length is the number of characters, the text is ASCII, which `latin1` copies without a
    // scan.
    if (typeof body === 'string') response.write(body, length === body.length ? 'latin1' : 'utf8')
    else response.write(body)
    response.uncork()
  }
  response.end()
}

function isSentWhole({ body, wire }: Reply): boolean {
  return wire === undefined && (body === null || body.length <= maxAtOnce)
}

/** Sends a reply that is long, or that a scenario breaks on its way. Never rejects. */
async function sendInPieces(response: ServerResponse, reply: Reply) {
  try {
    if (!response.socket && !response.destroyed) await untilItsTurn(response)
    const { socket } = response
    const { body, wire = {} } = reply
    if (!socket || socket.destroyed) return markSent(reply, 0, true)
    if (wire.instead) return breakOffReply(socket, reply, wire)
    writeHead(response, reply)
    if (body !== null) return await sendBody(socket, response, reply, toBytes(body))
    response.end()
    reportWhenSent(response, reply)
  } catch (error) {
    failToSend(response, reply, error)
  }
}

function writeHead(response: ServerResponse, reply: Reply) {
  const { status, headers, received } = reply
  if (hasOwnLines(reply)) response.writeHead(status, received?.phrase, toRawHeaders(reply))
  else response.writeHead(status, headers)
}

function untilItsTurn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const forget = whenClosed(response.req.socket, resolve)
    response.once('socket', () => {
      forget()
      resolve()
    })
  })
}

function breakOffReply(socket: Socket, reply: Reply, { instead, garbage }: Wire) {
  if (instead === 'timeout') return void whenClosed(socket, () => markSent(reply, 0, true))
  markSent(reply, 0, true)
  if (instead === 'reset') return reset(socket)
  if (instead === 'network-error') return void socket.destroy()
  if (instead === 'garbage') socket.write(garbage!)
  socket.destroySoon()
}

/** Resets a TCP connection; others, such as TLS, have no reset and are cut. */
function reset(socket: Socket) {
  try {
    socket.resetAndDestroy()
  } catch {
    socket.destroy()
  }
}

/** Never rejects. */
async function sendBody(socket: Socket, response: ServerResponse, reply: Reply, body: Uint8Array) {
  const { pieces = inLargePieces, cutAt = Infinity } = reply.wire ?? {}
  const closed = new AbortController()
  const forget = whenClosed(socket, () => closed.abort('The connection closed.'))
  let sent = 0
  try {
    response.flushHeaders()
    for await (const piece of pieces(body, closed.signal)) {
      if (socket.destroyed) break
      const chunk = piece.subarray(0, cutAt - sent)
      if (chunk.length > 0 && (await writePiece(socket, response, chunk))) sent += chunk.length
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

function writePiece(socket: Socket, response: ServerResponse, chunk: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    const close = () => resolve(false)
    socket.once('close', close)
    response.write(chunk, (error) => {
      socket.off('close', close)
      resolve(!error)
    })
  })
}

async function* inLargePieces(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += maxAtOnce) yield body.subarray(at, at + maxAtOnce)
}

function failToSend(response: ServerResponse, reply: Reply, error: unknown) {
  printFailure('Greenhouse failed to send a reply:', error)
  response.destroy()
  markSent(reply, 0, true)
}

/**
 * Reports to the journal when the system has taken the whole reply, or when the connection is gone.
 * Call it after `response.end`. @param sent the known number of sent bytes of the body, in the
 * second case.
 */
function reportWhenSent(response: ServerResponse, reply: Reply, sent = 0) {
  if (response.req.socket.destroyed) return markSent(reply, sent, true)
  if (response.writableFinished) return markSent(reply)
  // After `finish`, only the first of these marks counts.
  whenGone(response, () => markSent(reply, sent, true))
  response.once('finish', () => markSent(reply))
}
