import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const waiting = new WeakMap<Socket, Set<() => void>>()

/** Calls back when a connection is closed. Returns a function that cancels this. */
export function whenClosed(socket: Socket, callback: () => void): () => void {
  if (socket.destroyed) {
    callback()
    return () => undefined
  }
  // One listener for all callbacks: a connection can have hundreds of requests at a time.
  const known = waiting.get(socket)
  const all = (known ?? new Set<() => void>()).add(callback)
  if (!known) {
    waiting.set(socket, all)
    socket.once('close', () => all.forEach((one) => one()))
  }
  return () => void all.delete(callback)
}

/**
 * Calls back, once or twice, when the response is closed or its client is gone. Watches the socket
 * too: with pipelining, a response gets its `close` event only in its turn.
 */
export function whenGone(response: ServerResponse, callback: () => void): void {
  const forget = whenClosed(response.req.socket, callback)
  response.once('close', () => {
    forget()
    callback()
  })
}

export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    if (response.destroyed || response.socket?.destroyed) done()
    else response.on('drain', done).on('close', done)
  })
}

/**
 * Disconnects a client that reads nothing of this reply for so many milliseconds. The next reply
 * may take its time.
 */
export function limitPauses(response: ServerResponse, longest: number): void {
  const { socket } = response.req
  socket.setTimeout(longest)
  response.once('finish', () => socket.setTimeout(0))
}
