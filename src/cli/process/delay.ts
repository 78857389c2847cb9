import { after } from '../../core/time/clock.ts'

/** Waits some milliseconds, or until the signal aborts. Never rejects. */
export function delay(duration: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = after(duration, done)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
