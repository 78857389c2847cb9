import { createServer } from 'node:net'

/**
 * Few systems assign ports below 16000 by itself, to a server on port 0 or to the client's end of a
 * connection: a test that closes a server and opens one in its place finds the port as it left it.
 */
const first = 11_000
const count = 4_900

/**
 * One for a worker, however many test files load this module. Each worker begins elsewhere, and
 * takes no port twice until it has had all.
 */
const state = ((globalThis as { [key: symbol]: unknown })[Symbol.for('greenhouse.test.ports')] ??= {
  taken: process.pid * 97,
}) as { taken: number }

/** Finds a port of this machine where nothing listens, and which hardly another test gets. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = first + (state.taken++ % count)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
