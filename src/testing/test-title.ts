export function toCallerFile(own: Function): string | undefined {
  const trace: { stack?: string } = {}
  Error.captureStackTrace?.(trace, own)
  const [, place = ''] = (trace.stack ?? '').split('\n')
  const [name] = place.slice(Math.max(place.lastIndexOf('/'), place.lastIndexOf('\\')) + 1).split(/[.:]/)
  return name !== undefined && /^[\w-]+$/.test(name) ? name : undefined
}

/**
 * Returns the title of the running test: Mocha has it in `this`, `node:test` in the context, Jest in `expect`. With other
 * runners, it is `test`.
 */
export function toTestTitle(self: unknown, args: readonly unknown[]): string {
  const { expect } = globalThis as { expect?: { getState?: () => { currentTestName?: unknown } } }
  const found = [
    (self as { test?: { title?: unknown } } | undefined)?.test?.title,
    (args[0] as { name?: unknown } | undefined)?.name,
    typeof expect?.getState === 'function' ? expect.getState().currentTestName : undefined,
  ].find((title) => typeof title === 'string')
  return typeof found === 'string' ? found : 'test'
}
