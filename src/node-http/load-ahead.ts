import { afterIfAlive } from '../core/time/clock.ts'

/**
 * The delay before the server loads the rest of its code, in milliseconds: the start and the first
 * requests come first.
 */
const pause = 200

/**
 * Loads code for later calls, one module after another, once the server is up, because Node never
 * retries an import that failed because no file descriptor was free. Returns a function that
 * cancels the loading.
 */
export function loadAhead(loads: readonly (() => Promise<unknown>)[]): () => void {
  return afterIfAlive(pause, () => void loadAll(loads))
}

async function loadAll(loads: readonly (() => Promise<unknown>)[]) {
  // The caller that needs the module gets the error.
  for (const load of loads) await load().catch(() => undefined)
}
