import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { monotonicNow } from '../core/time/clock.ts'
import { setImmediate } from '../core/time/system-time.ts'

const maxWaiting = 32

/** The maximum time for answers in one turn of the event loop, in milliseconds. */
const maxOfTurn = 10

type Waiting = readonly [ServerResponse, answer: () => void]

interface PipelineQueue {
  current: ServerResponse
  readonly waiting: Waiting[]
}

const queues = new WeakMap<Socket, PipelineQueue>()

/**
 * Calls `answer` after the system has taken the connection's previous reply. Waits for the next turn of the event loop if this
 * one has lasted too long.
 */
export function inTurn(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
  const { socket } = request
  const queue = queues.get(socket)
  if (queue === undefined) queues.set(socket, { current: response, waiting: [] })
  else if (queue.waiting.length > 0 || !isOver(queue.current)) {
    if (queue.waiting.push([response, answer]) === 1) followQueue(queue, socket)
    if (queue.waiting.length >= maxWaiting) socket.pause()
    return
  } else queue.current = response
  runOrDefer(answer)
}

function followQueue(queue: PipelineQueue, socket: Socket): void {
  queue.current.once('close', () => {
    const next = socket.destroyed ? undefined : queue.waiting.shift()
    if (next === undefined) return void (queue.waiting.length = 0)
    queue.current = next[0]
    if (queue.waiting.length > 0) followQueue(queue, socket)
    if (queue.waiting.length >= maxWaiting) socket.pause()
    else socket.resume()
    runOrDefer(next[1])
  })
}

function isOver(response: ServerResponse): boolean {
  return response.writableFinished || response.destroyed
}

let turnEndsAt = 0
let isTurnOpen = false
const late: (() => void)[] = []

/** Runs a task in this turn of the event loop, or in a later one if this turn has lasted too long. Tasks keep their order. */
function runOrDefer(task: () => void): void {
  if (!isTurnOpen) openTurn()
  if (late.length > 0 || monotonicNow() > turnEndsAt) late.push(task)
  else task()
}

function openTurn(): void {
  isTurnOpen = true
  turnEndsAt = monotonicNow() + maxOfTurn
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
