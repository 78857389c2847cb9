import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { after, monotonicNow } from '../core/time/clock.ts'
import { setImmediate } from '../core/time/system-time.ts'

/**
 * How long a connection must have been quiet before it is closed, in milliseconds: as long as it was busy before, between
 * these. A client that asks one thing after the other is about to ask the next one.
 */
const shortestQuiet = 10
const longestQuiet = 250

/** How often it is looked whether they are, in milliseconds. */
const beat = 10

interface Connection {
  /** The last request's response. */
  newest?: ServerResponse
  /** Whether `newest` would have kept the connection alive, had it not been told that it is the last. */
  keepsAlive: boolean
  /** When it began, or when the last request came. */
  at: number
  /** Since when it has been busy without a pause. */
  since: number
}

/** The connections of one server, and how they are closed. While the server stops, replies carry `Connection: close`. */
export class Connections {
  readonly #server: Server
  readonly #open = new Map<Socket, Connection>()
  #isEnding = false

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket: Socket) => {
      const now = monotonicNow()
      this.#open.set(socket, { keepsAlive: false, at: now, since: now })
      socket.once('close', () => this.#open.delete(socket))
    })
  }

  /** Notes a request, before it is answered. */
  note({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (!connection) return
    const now = monotonicNow()
    if (now - connection.at > longestQuiet) connection.since = now
    connection.at = now
    const before = connection.newest
    connection.newest = response
    if (!this.#isEnding) return
    // Of several that were sent without waiting, the last reply is the one that ends the connection.
    if (before && !before.headersSent) before.shouldKeepAlive = connection.keepsAlive
    tellLast(connection)
  }

  /**
   * Takes no more connections and ends those that there are: each with its next reply, or as soon as it is quiet; after
   * `grace` milliseconds all that is left. Resolves once the last one is closed.
   */
  end(grace: number): Promise<void> {
    this.#isEnding = true
    for (const connection of this.#open.values()) tellLast(connection)
    return new Promise((resolve) => {
      let isOver = false
      let stopLooking = () => {}
      const look = () => {
        const quiet = this.#untilQuiet()
        if (quiet > 0) stopLooking = after(quiet, look)
        // What has arrived and was not read yet is read first: a busy machine may be late here.
        else
          setImmediate(() => {
            if (isOver) return
            if (this.#untilQuiet() <= 0) this.#closeQuiet()
            stopLooking = after(beat, look)
          })
      }
      const finish = () => {
        isOver = true
        stopLooking()
        stopGrace()
        this.#closeQuiet()
        resolve()
      }
      let stopGrace = after(grace, () => {
        for (const socket of this.#open.keys()) socket.destroy()
        // Node says in the same turn that the last one is closed; never, where a test faked `process.nextTick` meanwhile.
        stopGrace = after(beat, finish)
      })
      // Who has connected already is let in first: the system would reset what still waits at a closed door.
      setImmediate(() => {
        // Not the method of the HTTP server, which closes at once what might just be about to ask. Bun's is no server of node:net.
        if (this.#server instanceof NetServer) NetServer.prototype.close.call(this.#server, finish)
        else (this.#server as Server).close(finish)
        look()
      })
    })
  }

  /** How long it takes at least until every connection that waits for no reply has been quiet for long enough. */
  #untilQuiet(): number {
    const now = monotonicNow()
    let longest = 0
    for (const { newest, at, since } of this.#open.values())
      if (!newest || newest.writableFinished)
        longest = Math.max(longest, at + Math.min(longestQuiet, Math.max(shortestQuiet, at - since)) - now)
    return longest
  }

  /** Closes connections that wait for no reply and have not begun to ask. */
  #closeQuiet(): void {
    for (const [socket, { newest }] of this.#open)
      if (socket.writableFinished || (!newest && socket.bytesRead === 0)) socket.destroy()
    // It closes no more than what is idle, and ends the timer that looks for slow clients.
    this.#server.close()
  }
}

function tellLast(connection: Connection): void {
  const { newest } = connection
  if (!newest || newest.headersSent) return
  connection.keepsAlive = newest.shouldKeepAlive
  newest.shouldKeepAlive = false
}
