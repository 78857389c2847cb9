import type { ServerResponse } from 'node:http'
import { setImmediate } from '../core/time/system-time.ts'
import { sendJson } from './send.ts'

/** A part of JSON text, and how much work it was to make, in the bytes that it was made of. */
export type Part = readonly [text: string, work: number]

/** How much is made and sent at once, in bytes: between such pieces other requests have their turn. */
const pieceSize = 65_536

/** How long a reader may take none of what is sent, in milliseconds; then it is let go, and with it what was yet to be sent. */
const longestPause = 10_000

/** Sends JSON text that is made part by part, no faster than it is read. It ends early when the client goes away. */
export async function sendParts(response: ServerResponse, parts: Iterable<Part>): Promise<void> {
  if (response.req.method === 'HEAD') return void response.writeHead(200, { 'Content-Type': 'application/json' }).end()
  const pieces = toPieces(parts)
  const first = pieces.next()
  await nextTurn()
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

function* toPieces(parts: Iterable<Part>): Generator<string, void> {
  let waiting: string[] = []
  let size = 0
  for (const [text, work] of parts) {
    waiting.push(text)
    size += Math.max(text.length, work)
    if (size < pieceSize) continue
    yield waiting.join('')
    waiting = []
    size = 0
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
