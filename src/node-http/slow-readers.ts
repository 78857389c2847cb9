import type { ServerResponse } from 'node:http'

/** Resolves when more can be sent, or when the client is gone. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    if (response.destroyed || response.socket?.destroyed) done()
    else response.on('drain', done).on('close', done)
  })
}

/** Disconnects a client that reads nothing of this reply for so many milliseconds. The next reply may take its time. */
export function limitPauses(response: ServerResponse, longest: number): void {
  const { socket } = response.req
  socket.setTimeout(longest)
  response.once('finish', () => socket.setTimeout(0))
}
