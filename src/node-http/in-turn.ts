import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { monotonicNow } from '../core/time/clock.ts'
import { setImmediate } from '../core/time/system-time.ts'

/** How many requests of one connection wait before its socket is read no further. */
const mostWaiting = 32

/** How long one turn of the event loop answers requests, in milliseconds. */
const mostOfTurn = 10

/** A request that waits. */
type Waiting = readonly [ServerResponse, answer: () => void]

/** The requests of one connection. */
interface Line {
  /** The response that is being sent, or was last. */
  current: ServerResponse
  /** What the client sent without waiting for it (pipelining). */
  readonly waiting: Waiting[]
}

const lines = new WeakMap<Socket, Line>()

/**
 * Calls `answer` once the system has taken the former reply of this connection. What this turn of the event loop has no time
 * for waits for the next turn.
 */
export function inTurn(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
  const { socket } = request
  const line = lines.get(socket)
  if (line === undefined) lines.set(socket, { current: response, waiting: [] })
  else if (line.waiting.length > 0 || !isOver(line.current)) {
    if (line.waiting.push([response, answer]) === 1) followLine(line, socket)
    if (line.waiting.length >= mostWaiting) socket.pause()
    return
  } else line.current = response
  whenThereIsTime(answer)
}

function followLine(line: Line, socket: Socket): void {
  line.current.once('close', () => {
    const next = socket.destroyed ? undefined : line.waiting.shift()
    if (next === undefined) return void (line.waiting.length = 0)
    line.current = next[0]
    if (line.waiting.length > 0) followLine(line, socket)
    if (line.waiting.length >= mostWaiting) socket.pause()
    else socket.resume()
    whenThereIsTime(next[1])
  })
}

function isOver(response: ServerResponse): boolean {
  return response.writableFinished || response.destroyed
}

let turnEndsAt = 0
let isTurnOpen = false
const late: (() => void)[] = []

/** Runs a task in this turn of the event loop, or in a later one if this turn has worked for long. Tasks keep their order. */
function whenThereIsTime(task: () => void): void {
  if (!isTurnOpen) openTurn()
  if (late.length > 0 || monotonicNow() > turnEndsAt) late.push(task)
  else task()
}

function openTurn(): void {
  isTurnOpen = true
  turnEndsAt = monotonicNow() + mostOfTurn
  setImmediate(closeTurn)
}

function closeTurn(): void {
  isTurnOpen = false
  if (late.length === 0) return
  openTurn()
  let done = 0
  while (done < late.length && monotonicNow() <= turnEndsAt) late[done++]!()
  late.splice(0, done)
}
