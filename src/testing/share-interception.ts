import { assertMswRuns } from '../adapters/peer-version.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { Joining } from './join-msw.ts'
import type { Interception } from './reach.ts'

/**
 * Shares one interception between all tests that have none of their own. It opens for the first test and closes after the last.
 */
export function shareInterception<T extends Interception>(open: () => Promise<T>, close: (shared: T) => void) {
  let shared: { readonly opened: Promise<T>; users: number } | undefined
  return async (greenhouse: Greenhouse, joining: Joining): Promise<() => Promise<void>> => {
    const { joinMsw } = await loadWithMsw(() => import('./join-msw.ts'))
    const current = (shared ??= { opened: open(), users: 0 })
    current.users++
    const stop = async () => {
      if (--current.users > 0) return
      shared = undefined
      close(await current.opened)
    }
    try {
      const leave = joinMsw(await current.opened, greenhouse, joining)
      return () => {
        leave()
        return stop()
      }
    } catch (error) {
      await stop().catch(() => undefined)
      throw error
    }
  }
}

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
