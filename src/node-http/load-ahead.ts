import { clearTimeout, setTimeout } from '../core/time/system-time.ts'

/** How long after the start the server loads the rest of itself, in milliseconds: the start and the first requests come first. */
const pause = 200

/**
 * Loads what later calls need, one after the other, once the server is up. A file that can't be read when it is needed, since
 * there are no free descriptors, is gone for good: Node does not try a failed import again. Returns what takes it back.
 */
export function loadAhead(loads: readonly (() => Promise<unknown>)[]): () => void {
  const timer = setTimeout(() => void loadAll(loads), pause)
  timer.unref()
  return () => clearTimeout(timer)
}

async function loadAll(loads: readonly (() => Promise<unknown>)[]): Promise<void> {
  // Whoever needs it is told why it could not be loaded.
  for (const load of loads) await load().catch(() => undefined)
}
