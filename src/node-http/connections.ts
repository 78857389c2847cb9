import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { afterIfAlive, delay, monotonicNow } from '../core/time/clock.ts'
import { nextTurn } from '../core/time/system-time.ts'

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
const defaultIdle = {
  max: 75_000,
  interval: 15_000,
}

interface OpenConnection {
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
  readonly #open = new Map<Socket, OpenConnection>()
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
        this.#open.set(socket, {
          keepsAlive: false,
          usedAt,
        })
        this.#stopChecking ??= afterIfAlive(idle.interval, () => this.#closeIdle())
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
  async end(grace: number, pause = 0): Promise<void> {
    this.#isEnding = true
    this.#stopChecking?.()
    for (const connection of this.#open.values()) markLast(connection)
    const over = new AbortController()
    const cut = this.#cutAfter(grace, over.signal)
    // Connections in the backlog are accepted by then: the system would reset them.
    await nextTurn()
    void this.#closeIdleUntil(over.signal, pause)
    await Promise.race([this.#stopAccepting(), cut])
    over.abort()
    this.#closeQuiet()
    await delay(noticing)
    await nextTurn()
  }

  /** Resolves when the last connection has closed. */
  #stopAccepting(): Promise<unknown> {
    return new Promise((resolve) => {
      // The HTTP server's method would close idle connections that may be about to send.
      // Bun's server is not one of node:net.
      if (this.#server instanceof NetServer) NetServer.prototype.close.call(this.#server, resolve)
      else (this.#server as Server).close(resolve)
    })
  }

  async #cutAfter(grace: number, over: AbortSignal) {
    await delay(grace, over)
    if (over.aborted) return
    // Node's `closeAllConnections` leaves those that asked for a tunnel.
    for (const socket of this.#open.keys()) socket.destroy()
    // Node reports the end in the same turn, or never if a test fakes `process.nextTick`.
    await delay(checkInterval, over)
  }

  async #closeIdleUntil(over: AbortSignal, pause: number) {
    for (let wait = pause; !over.aborted; wait = checkInterval) {
      await delay(wait, over)
      // Data that has arrived is read by then: a busy machine may be late.
      await nextTurn()
      if (!over.aborted && !this.#isSending()) this.#closeQuiet()
    }
  }

  /**
   * Closes connections that have been idle too long. Node's timeout would cost a timer for each
   * request.
   */
  #closeIdle() {
    const now = monotonicNow()
    for (const [socket, connection] of this.#open)
      if (connection.newest?.writableFinished === false) connection.usedAt = now
      else if (now - connection.usedAt >= this.#idle.max) socket.destroy()
    const next = this.#open.size > 0 && !this.#isEnding
    this.#stopChecking = next
      ? afterIfAlive(this.#idle.interval, () => this.#closeIdle())
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

  #closeQuiet() {
    for (const [socket, { newest }] of this.#open)
      if (socket.writableFinished || (!newest && socket.bytesRead === 0)) socket.destroy()
    // Node's method closes only idle connections, and stops the timer for slow clients.
    this.#server.close()
  }
}

function markLast(connection: OpenConnection) {
  const { newest } = connection
  if (!newest || newest.headersSent) return
  connection.keepsAlive = newest.shouldKeepAlive
  newest.shouldKeepAlive = false
}
