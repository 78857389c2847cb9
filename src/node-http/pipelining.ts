import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The most requests of a connection to take in while they wait for their turn. */
const maxWaiting = 32

interface PipelineQueue {
  current: ServerResponse
  readonly waiting: {
    readonly response: ServerResponse
    answer(): void
  }[]
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
  if (queue === undefined)
    queues.set(socket, {
      current: response,
      waiting: [],
    })
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

function followQueue(queue: PipelineQueue, socket: Socket) {
  queue.current.once('close', () => answerNext(queue, socket))
}

function answerNext(queue: PipelineQueue, socket: Socket) {
  const next = socket.destroyed ? undefined : queue.waiting.shift()
  if (next === undefined) return void (queue.waiting.length = 0)
  queue.current = next.response
  if (queue.waiting.length > 0) followQueue(queue, socket)
  if (queue.waiting.length >= maxWaiting) socket.pause()
  else socket.resume()
  next.answer()
}
