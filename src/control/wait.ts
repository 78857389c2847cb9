import { after } from '../core/time/clock.ts'

/** The longest wait of a control call for work that it started, in milliseconds of real time. */
const longestWait = 10_000

export async function waitFor(work: Promise<void>): Promise<void> {
  // The caller's connection alone keeps the process alive.
  await new Promise<void>((resolve, reject) => {
    const stopWaiting = after(longestWait, resolve, false)
    work.finally(stopWaiting).then(resolve, reject)
  })
}
