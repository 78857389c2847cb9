import { assertMswRuns } from '../adapters/peer-version.ts'

/** Loads a module that needs msw. @throws Error that says what to do if msw is missing or too old, or the test runner cannot load it. */
export async function loadWithMsw<T>(load: () => Promise<T>): Promise<T> {
  assertMswRuns('A test that uses msw')
  try {
    return await load()
  } catch (cause) {
    const advice = advise(cause)
    if (advice === undefined) throw cause
    throw new Error(`Failed to load msw, which answers at the base URLs: ${advice}`, { cause })
  }
}

function advise(cause: unknown): string | undefined {
  // Under Jest, errors come from another realm: `instanceof Error` is false.
  const { code, message = '', name } = (cause ?? {}) as { code?: string; message?: string; name?: string }
  if (code?.endsWith('MODULE_NOT_FOUND')) return /['"]msw\b/.test(message) ? 'install it with npm i -D msw.' : undefined
  if (name === 'SyntaxError' || message.startsWith('Must use import'))
    return "it has ES modules, which Jest can't load as it is configured. Add what msw needs, in jest.config.js: const { withGreenhouse } = require('greenhouse-mock/jest'); module.exports = withGreenhouse({ /* your configuration */ })."
  return undefined
}
