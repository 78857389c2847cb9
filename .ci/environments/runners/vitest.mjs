import { expect, test, vi } from 'vitest'

export { test }
export const hidesRealTimers = false
const real = globalThis.setTimeout
// All timers that Vitest can fake, except nextTick and queueMicrotask, which Node's HTTP server waits for.
export const fake = () =>
  vi.useFakeTimers({
    now: 0,
    toFake: [
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'setImmediate',
      'clearImmediate',
      'Date',
      'performance',
      ...(process.env.FAKE_MORE ? process.env.FAKE_MORE.split(',') : []),
    ].filter((name) => name in globalThis || name === 'nextTick'),
  })
export const unfake = () => vi.useRealTimers()
export const hasReal = () => globalThis.setTimeout === real
export const equal = (one, other) => expect(one).toEqual(other)
