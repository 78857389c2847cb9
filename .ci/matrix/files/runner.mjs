// The functions for tests and fake timers of the runner that runs this file.
const real = globalThis.setTimeout

/**
 * All timers that Vitest can fake, except nextTick and queueMicrotask, which Node's HTTP server
 * waits for.
 */
const toFake = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Date',
  'performance',
]

/** Vite would resolve a name that it can read, and knows no such module. */
const nodeTest = 'node:test'

const runners = {
  async vitest() {
    const { expect, test, vi } = await import('vitest')
    return {
      test,
      fake: () => vi.useFakeTimers({ now: 0, toFake: toFake.filter((name) => name in globalThis) }),
      unfake: () => vi.useRealTimers(),
      equal: (one, other) => expect(one).toEqual(other),
    }
  },
  async jest() {
    const { expect, jest, test } = await import('@jest/globals')
    return {
      test,
      fake: () => jest.useFakeTimers({ now: 0 }),
      unfake: () => jest.useRealTimers(),
      // In some environments, the package's objects come from another realm than Jest's matchers.
      equal: (one, other) => expect(JSON.parse(JSON.stringify(one))).toEqual(other),
    }
  },
  async 'node:test'() {
    const { deepEqual } = await import('node:assert/strict')
    const { mock, test } = await import(/* @vite-ignore */ nodeTest)
    return {
      test,
      fake: () =>
        mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] }),
      unfake: () => mock.timers.reset(),
      equal: deepEqual,
      hidesRealTimers: true,
    }
  },
  /**
   * Sinon's fake timers have no runner: node:test runs the files. Node itself waits for the two
   * functions that stay real.
   */
  async sinon() {
    const { install } = await import('@sinonjs/fake-timers')
    let clock
    return {
      ...(await runners['node:test']()),
      fake: () => (clock = install({ now: 0, toNotFake: ['nextTick', 'queueMicrotask'] })),
      unfake: () => (clock = clock?.uninstall()),
      hidesRealTimers: false,
    }
  },
}

export const {
  test,
  fake,
  unfake,
  equal,
  hidesRealTimers = false,
} = await runners[process.env.RUNNER]()
export const hasReal = () => globalThis.setTimeout === real
