import { clearTimeout, setTimeout } from '../core/time/system-time.ts'

/** The delay before the server loads the rest of its code, in milliseconds: the start and the first requests come first. */
const pause = 200

/**
 * Loads code for later calls, one module after the other, once the server is up. If a file cannot be read when it is
 * needed, because there are no free descriptors, Node never retries the import. Returns a function that cancels it.
 */
export function loadAhead(loads: readonly (() => Promise<unknown>)[]): () => void {
  const timer = setTimeout(() => void loadAll(loads), pause)
  timer.unref()
  return () => clearTimeout(timer)
}

async function loadAll(loads: readonly (() => Promise<unknown>)[]): Promise<void> {
  // The later caller gets the error.
  for (const load of loads) await load().catch(() => undefined)
}
