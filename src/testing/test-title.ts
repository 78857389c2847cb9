/** Returns the title of the running test, if its runner provides it: Mocha by `this`, `node:test` by its context, Jest by `expect`. */
export function toTestTitle(self: unknown, args: readonly unknown[]): string {
  const { expect } = globalThis as { expect?: { getState?: () => { currentTestName?: unknown } } }
  const found = [
    (self as { test?: { title?: unknown } } | undefined)?.test?.title,
    (args[0] as { name?: unknown } | undefined)?.name,
    typeof expect?.getState === 'function' ? expect.getState().currentTestName : undefined,
  ].find((title) => typeof title === 'string')
  return typeof found === 'string' ? found : 'test'
}
