import type { Socket } from 'node:net'

const waiting = new WeakMap<Socket, Set<() => void>>()

export function whenClosed(socket: Socket, callback: () => void): () => void {
  if (socket.destroyed) {
    callback()
    return () => undefined
  }
  const all = waiting.get(socket) ?? waitFor(socket)
  all.add(callback)
  return () => void all.delete(callback)
}

/** One listener for all callbacks: a connection can have hundreds of requests at a time. */
function waitFor(socket: Socket): Set<() => void> {
  const all = new Set<() => void>()
  waiting.set(socket, all)
  socket.once('close', () => {
    for (const callback of all) callback()
  })
  return all
}
