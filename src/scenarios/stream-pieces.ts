export type Pieces = (pieces: AsyncIterable<Uint8Array>, signal?: AbortSignal) => AsyncIterable<Uint8Array>

/** Cuts the connection after the pieces. Waits first, because a stream that fails immediately drops its last piece. */
export async function* breakOff(
  pieces: AsyncIterable<Uint8Array>,
  wait: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let hasBegun = false
  for await (const piece of pieces) {
    hasBegun = true
    yield piece
  }
  if (hasBegun) await wait()
  throw new Error('The stream broke off: a scenario cut the connection.')
}

/** Sends nothing after the pieces, not even the end, until the client is gone. */
export const stallForEver: Pieces = async function* (pieces, signal) {
  yield* pieces
  await untilAborted(signal)
}

export async function* pauseAt(
  pieces: AsyncIterable<Uint8Array>,
  at: number,
  wait: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let left = at
  if (left === 0) await wait()
  for await (const piece of pieces) {
    const isHere = left > 0 && piece.length >= left
    if (isHere) {
      yield piece.subarray(0, left)
      await wait()
    }
    const rest = isHere ? piece.subarray(left) : piece
    left -= piece.length
    if (rest.length > 0) yield rest
  }
}

function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve()
    else signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}
