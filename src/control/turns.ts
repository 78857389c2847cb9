import { toJson } from '../core/http/json.ts'
import { after, monotonicNow } from '../core/time/clock.ts'
import { nextTurn } from '../core/time/system-time.ts'

/** How long a call may keep others from their turn, in milliseconds. */
const longestTurn = 10

/** Paces long work: other requests get their turn when it has taken long. */
export class Pace {
  #since = monotonicNow()

  get isOver(): boolean {
    return monotonicNow() - this.#since > longestTurn
  }

  async rest(): Promise<void> {
    await nextTurn()
    this.#since = monotonicNow()
  }
}

export async function collectInTurns<T>(items: Iterable<T>, accepts: (item: T) => boolean = () => true): Promise<T[]> {
  const found: T[] = []
  const pace = new Pace()
  for (const item of items) {
    if (accepts(item)) found.push(item)
    if (pace.isOver) await pace.rest()
  }
  return found
}

const sortedAtOnce = 2_000

export async function sortInTurns<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
  max = Infinity,
): Promise<T[]> {
  let first: T[] = []
  for (let start = 0; start < items.length; start += sortedAtOnce) {
    if (start > 0) await nextTurn()
    // The sort recognizes what is in order already, and merges.
    first = [...first, ...items.slice(start, start + sortedAtOnce)].sort(compare).slice(0, max)
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

export function toListText<T>(items: Iterable<T>, show: (item: T) => unknown, after = ''): Generator<string> {
  return joinText('{"data":[', items, `]${after}}`, (item) => toJson(show(item)))
}

/** Yields JSON text with a list in it, whose items are written one by one. An item without text is only work. */
export function* joinText<T>(
  before: string,
  items: Iterable<T>,
  after: string,
  write: (item: T) => string,
): Generator<string> {
  yield before
  let separator = ''
  for (const item of items) {
    const text = write(item)
    yield text && separator + text
    if (text) separator = ','
  }
  yield after
}

/** The characters to send at a time. */
const pieceSize = 65_536

/** Returns a short text whole, and a long one in pieces. */
export async function toPieces(parts: Iterable<string>): Promise<string | AsyncIterable<string>> {
  const pieces = joinParts(parts)
  const [first, second] = [await pieces.next(), await pieces.next()]
  return second.done ? (first.value ?? '') : withFirst([first.value!, second.value], pieces)
}

async function* joinParts(parts: Iterable<string>): AsyncGenerator<string, void> {
  const pace = new Pace()
  let piece = ''
  for (const text of parts) {
    piece += text
    if (pace.isOver) await pace.rest()
    if (piece.length < pieceSize) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

async function* withFirst<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T, void> {
  yield* first
  yield* rest
}
