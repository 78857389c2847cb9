import { toJson } from '../core/http/json.ts'
import { after } from '../core/time/clock.ts'
import { nextTurn } from '../core/time/system-time.ts'
import type { Chunk } from './action.ts'

const atOnce = 2_000

export async function collectInTurns<T>(items: Iterable<T>, accepts: (item: T) => boolean = () => true): Promise<T[]> {
  const found: T[] = []
  let checked = 0
  for (const item of items) {
    if (accepts(item)) found.push(item)
    if (++checked % atOnce === 0) await nextTurn()
  }
  return found
}

export async function sortInTurns<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
  max = Infinity,
): Promise<T[]> {
  let first: T[] = []
  for (let start = 0; start < items.length; start += atOnce) {
    if (start > 0) await nextTurn()
    // The sort recognizes what is in order already, and merges.
    first = [...first, ...items.slice(start, start + atOnce)].sort(compare).slice(0, max)
  }
  return first
}

/** The longest wait of a control call for work that it started, in milliseconds of real time. */
const longestWait = 10_000

export async function waitFor(work: Promise<void>): Promise<void> {
  // Only the caller's connection keeps the process alive.
  await new Promise<void>((resolve, reject) => {
    const stopWaiting = after(longestWait, resolve, false)
    work.finally(stopWaiting).then(resolve, reject)
  })
}

/** The extra work of showing a small object, as if it were this many bytes of text. */
const defaultWork = 200

export function toListChunks<T>(
  items: Iterable<T>,
  show: (item: T) => unknown,
  after = '',
  work = defaultWork,
): Generator<Chunk> {
  return joinChunks('{"data":[', items, `]${after}}`, (item) => {
    const text = toJson(show(item))
    return [text, text.length + work]
  })
}

/** Yields JSON text with a list in it, whose items are written one by one. Items without text are only work. */
export function* joinChunks<T>(
  before: string,
  items: Iterable<T>,
  after: string,
  write: (item: T) => Chunk,
): Generator<Chunk> {
  yield [before, 0]
  let separator = ''
  for (const item of items) {
    const [text, work] = write(item)
    yield [text && separator + text, work]
    if (text) separator = ','
  }
  yield [after, 0]
}

/** The bytes to generate and send at a time. */
const pieceSize = 65_536

/** Joins chunks to pieces, and lets other requests run in between. */
export async function* toPieces(chunks: Iterable<Chunk>): AsyncGenerator<string, void> {
  let waiting: string[] = []
  let size = 0
  for (const [text, work] of chunks) {
    waiting.push(text)
    size += Math.max(text.length, work)
    if (size < pieceSize) continue
    yield waiting.join('')
    await nextTurn()
    waiting = []
    size = 0
  }
  if (waiting.length > 0) yield waiting.join('')
}
