import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { after, monotonicNow } from '../core/time/clock.ts'
import { setImmediate } from '../core/time/system-time.ts'

const checkInterval = 2

/**
 * How long clients of this process get to see that their connections closed, in milliseconds: they
 * would send on them again.
 */
const noticing = 1

/**
 * How long a connection of a running server may be idle, and how often that is checked, in
 * milliseconds.
 */
const defaultIdle = { max: 75_000, interval: 15_000 }

interface Connection {
  newest?: ServerResponse
  keepsAlive: boolean
  usedAt: number
}

/**
 * The connections of one server, and their shutdown. While the server stops, replies carry
 * `Connection: close`.
 */
export class Connections {
  readonly #server: Server
  readonly #idle: typeof defaultIdle
  readonly #open = new Map<Socket, Connection>()
  #stopChecking: (() => void) | undefined
  #isEnding = false

  constructor(server: Server, idle = defaultIdle) {
    this.#server = server
    this.#idle = idle
    for (const event of ['connection', 'secureConnection'])
      server.on(event, (socket: Socket) => {
        // Below TLS, a connection is never idle: the one that TLS opens on it is.
        const usedAt =
          event === 'connection' && 'setSecureContext' in server ? Infinity : monotonicNow()
        this.#open.set(socket, { keepsAlive: false, usedAt })
        this.#stopChecking ??= after(idle.interval, () => this.#closeIdle(), false)
        socket.once('close', () => this.#open.delete(socket))
      })
  }

  track({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (!connection) return
    connection.usedAt = monotonicNow()
    const before = connection.newest
    connection.newest = response
    if (!this.#isEnding) return
    // With pipelining, only the last reply ends the connection.
    if (before && !before.headersSent) before.shouldKeepAlive = connection.keepsAlive
    markLast(connection)
  }

  /**
   * Accepts no more connections and ends the open ones: each with its next reply, those that are
   * idle after `pause` milliseconds, and all of them after `grace`. Resolves after the last one has
   * closed.
   */
  end(grace: number, pause = 0): Promise<void> {
    this.#isEnding = true
    this.#stopChecking?.()
    for (const connection of this.#open.values()) markLast(connection)
    return new Promise((resolve) => {
      let isOver = false
      let stopLooking = () => {}
      const lookIn = (milliseconds: number) =>
        (stopLooking = after(milliseconds, () => setImmediate(closeIdle)))
      // Data that has arrived is read by then: a busy machine may be late.
      const closeIdle = () => {
        if (isOver) return
        if (!this.#isSending()) this.#closeQuiet()
        lookIn(checkInterval)
      }
      const finish = () => {
        isOver = true
        stopLooking()
        stopGrace()
        this.#closeQuiet()
        after(noticing, () => setImmediate(resolve))
      }
      let stopGrace = after(grace, () => {
        // Node's `closeAllConnections` leaves those that asked for a tunnel.
        for (const socket of this.#open.keys()) socket.destroy()
        // Node reports the end in the same turn, or never if a test fakes `process.nextTick`.
        stopGrace = after(checkInterval, finish)
      })
      // Waits until connections in the backlog are accepted: the system would reset them.
      setImmediate(() => {
        // The HTTP server's method would close idle connections that may be about to send.
        // Bun's server is not one of node:net.
        if (this.#server instanceof NetServer) NetServer.prototype.close.call(this.#server, finish)
        else (this.#server as Server).close(finish)
        lookIn(pause)
      })
    })
  }

  /**
   * Closes connections that have been idle too long. Node's timeout would cost a timer for each
   * request.
   */
  #closeIdle(): void {
    const now = monotonicNow()
    for (const [socket, connection] of this.#open)
      if (connection.newest?.writableFinished === false) connection.usedAt = now
      else if (now - connection.usedAt >= this.#idle.max) socket.destroy()
    const next = this.#open.size > 0 && !this.#isEnding
    this.#stopChecking = next
      ? after(this.#idle.interval, () => this.#closeIdle(), false)
      : undefined
  }

  /**
   * Returns whether a complete reply has not left yet, or waits for such a one: Node takes its
   * connection for an idle one.
   */
  #isSending(): boolean {
    for (const { newest } of this.#open.values())
      if (newest && !newest.writableFinished && (newest.writableEnded || !newest.socket))
        return true
    return false
  }

  #closeQuiet(): void {
    for (const [socket, { newest }] of this.#open)
      if (socket.writableFinished || (!newest && socket.bytesRead === 0)) socket.destroy()
    // Node's method closes only idle connections, and stops the timer for slow clients.
    this.#server.close()
  }
}

function markLast(connection: Connection): void {
  const { newest } = connection
  if (!newest || newest.headersSent) return
  connection.keepsAlive = newest.shouldKeepAlive
  newest.shouldKeepAlive = false
}

const maxWaiting = 32

interface PipelineQueue {
  current: ServerResponse
  readonly waiting: { readonly response: ServerResponse; answer(): void }[]
}

const queues = new WeakMap<Socket, PipelineQueue>()

/**
 * Calls `answer` after the system has taken the connection's previous reply, so that a client that
 * reads nothing costs one reply. The system takes it in a later turn of the event loop, so no other
 * client waits for all of them.
 */
export function inTurn(
  request: IncomingMessage,
  response: ServerResponse,
  answer: () => void,
): void {
  const { socket } = request
  const queue = queues.get(socket)
  if (queue === undefined) queues.set(socket, { current: response, waiting: [] })
  else if (
    queue.waiting.length > 0 ||
    !(queue.current.writableFinished || queue.current.destroyed)
  ) {
    if (queue.waiting.push({ response, answer }) === 1) followQueue(queue, socket)
    if (queue.waiting.length >= maxWaiting) socket.pause()
    return
  } else queue.current = response
  answer()
}

function followQueue(queue: PipelineQueue, socket: Socket): void {
  queue.current.once('close', () => answerNext(queue, socket))
}

function answerNext(queue: PipelineQueue, socket: Socket): void {
  const next = socket.destroyed ? undefined : queue.waiting.shift()
  if (next === undefined) return void (queue.waiting.length = 0)
  queue.current = next.response
  if (queue.waiting.length > 0) followQueue(queue, socket)
  if (queue.waiting.length >= maxWaiting) socket.pause()
  else socket.resume()
  next.answer()
}
