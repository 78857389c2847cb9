import { format } from 'node:util'
import { expect } from 'vitest'

/** One for a worker, however many test files it loads this module for. */
const state = ((globalThis as { [key: symbol]: unknown })[Symbol.for('greenhouse.test.output')] ??=
  {
    printed: [],
    watches: false,
    methods: {},
  }) as {
  printed: string[]
  watches: boolean
  methods: Record<string, (...parts: unknown[]) => void>
}

const methods = ['debug', 'dir', 'error', 'info', 'log', 'table', 'trace', 'warn'] as const

/**
 * Collects, from now on, what this process prints and what Node warns of, in place of printing it.
 */
export function watchOutput(): void {
  if (state.watches) return
  state.watches = true
  for (const method of methods)
    console[method] = state.methods[method] = (...parts: unknown[]) =>
      void state.printed.push(`console.${method}: ${format(...parts)}`)
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      // Vitest writes nothing, to learn when all before has left.
      if (chunk.length > 0)
        state.printed.push(
          `${name}: ${typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()}`,
        )
      const done = rest.find((one) => typeof one === 'function')
      if (done) queueMicrotask(done as () => void)
      return true
    }
  // In place of what Node itself does, which prints.
  process.removeAllListeners('warning').on('warning', ({ stack = '' }) => {
    // In Node 25 and later, msw makes Node warn of localStorage.
    if (!/localStorage[^]*node_modules.msw/.test(stack)) state.printed.push(`warning: ${stack}`)
  })
}

export function replacedMethods(): string[] {
  return methods.filter((method) => console[method] !== state.methods[method])
}

export function takeOutput(): string[] {
  return state.printed.splice(0)
}

/**
 * Asserts that what was printed since the test began is these texts, in this order, and nothing
 * else.
 */
export function expectOutput(...expected: readonly RegExp[]): void {
  expect(takeOutput()).toEqual(expected.map((pattern) => expect.stringMatching(pattern)))
}
