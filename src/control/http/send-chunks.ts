import type { ServerResponse } from 'node:http'
import { nextTurn } from '../../core/time/system-time.ts'
import { drained, limitPauses } from '../../node-http/slow-readers.ts'
import type { Chunk } from '../answer.ts'
import { sendJson } from './send.ts'

/** The bytes to generate and send at a time. Other requests run in between. */
const pieceSize = 65_536

/** The longest pause of a reader, in milliseconds, before it is disconnected. */
const longestPause = 10_000

export async function sendChunks(response: ServerResponse, chunks: Iterable<Chunk>): Promise<void> {
  if (response.req.method === 'HEAD') return void response.writeHead(200, { 'Content-Type': 'application/json' }).end()
  const pieces = toPieces(chunks)
  const first = pieces.next()
  await nextTurn()
  const second = pieces.next()
  // A short text is sent in one piece, with its length.
  if (second.done) return sendJson(response, 200, first.value ?? '')
  limitPauses(response, longestPause)
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.write(first.value)
  for (let piece: IteratorResult<string, void> = second; !piece.done; piece = pieces.next()) {
    const isFull = !response.write(piece.value)
    if (isFull) await drained(response)
    // Other requests need a turn, and a fast reader drains within the same one.
    await nextTurn()
    if (response.destroyed) return
  }
  response.end()
}

function* toPieces(chunks: Iterable<Chunk>): Generator<string, void> {
  let waiting: string[] = []
  let size = 0
  for (const [text, work] of chunks) {
    waiting.push(text)
    size += Math.max(text.length, work)
    if (size < pieceSize) continue
    yield waiting.join('')
    waiting = []
    size = 0
  }
  if (waiting.length > 0) yield waiting.join('')
}
