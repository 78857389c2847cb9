import type { ServerResponse } from 'node:http'
import { sendJson } from './send.ts'

/** How much is sent at once, in characters, and of how many parts: between them other requests have their turn. */
const pieceLength = 65_536
const pieceParts = 8

/** How long a reader may take none of what is sent, in milliseconds; then it is let go, and with it what was yet to be sent. */
const longestPause = 10_000

// Taken now: a test may fake it later.
const { setImmediate } = globalThis

/** Sends JSON text that is made part by part, no faster than it is read. It ends early when the client goes away. */
export async function sendParts(response: ServerResponse, parts: Iterable<string>): Promise<void> {
  if (response.req.method === 'HEAD') return void response.writeHead(200, { 'Content-Type': 'application/json' }).end()
  const pieces = toPieces(parts)
  const first = pieces.next()
  const second = pieces.next()
  // What is short is sent with its length.
  if (second.done) return sendJson(response, 200, first.value ?? '')
  response.setTimeout(longestPause, () => response.destroy())
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.write(first.value)
  for (let piece: IteratorResult<string, void> = second; !piece.done; piece = pieces.next()) {
    const isFull = !response.write(piece.value)
    await (isFull ? drained(response) : nextTurn())
    if (response.destroyed) return
  }
  response.end()
}

function* toPieces(parts: Iterable<string>): Generator<string, void> {
  let waiting: string[] = []
  let length = 0
  for (const part of parts) {
    waiting.push(part)
    length += part.length
    if (length < pieceLength && waiting.length < pieceParts) continue
    yield waiting.join('')
    waiting = []
    length = 0
  }
  if (waiting.length > 0) yield waiting.join('')
}

/** Resolves once more can be sent, or nothing can any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    if (response.destroyed || response.socket?.destroyed) done()
    else response.on('drain', done).on('close', done)
  })
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
