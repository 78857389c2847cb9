import { codedError } from '../core/text/error-codes.ts'
import { assertMswRuns } from '../adapters/peer-version.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { Joining } from './join-msw.ts'
import { type HostOpener, type Interception, type MswServer, toBases } from './reach.ts'

/**
 * Returns what answers at base URLs: with the interception of a test, or with one that all tests
 * without their own share. That one opens for the first test and closes after the last.
 */
export function shareInterception<T extends Interception>(
  open: () => Promise<T>,
  close: (shared: T) => void,
  join: (own: MswServer, greenhouse: Greenhouse, joining: Joining) => Promise<() => void>,
): HostOpener {
  let shared:
    | {
        readonly opened: Promise<T>
        users: number
      }
    | undefined
  const joinShared = async (greenhouse: Greenhouse, joining: Joining) => {
    const { joinMsw } = await loadWithMsw(() => import('./join-msw.ts'))
    const current = (shared ??= {
      opened: open(),
      users: 0,
    })
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
  return async (greenhouse, reach) => {
    const { server, answersAll } = reach
    const bases = toBases(reach)
    const joining = { bases, answersAll }
    const leave = server
      ? await join(server, greenhouse, joining)
      : await joinShared(greenhouse, joining)
    return {
      ...bases,
      close: async () => leave(),
    }
  }
}

/**
 * Loads a module that needs msw. @throws Error that says what to do if msw is missing or too old,
 * or the test runner cannot load it.
 */
export async function loadWithMsw<T>(load: () => Promise<T>): Promise<T> {
  assertMswRuns('A test that uses msw')
  try {
    return await load()
  } catch (cause) {
    const advice = advise(cause)
    if (advice === undefined) throw cause
    throw codedError(
      'GREENHOUSE_UNSUPPORTED_HOST',
      `Failed to load msw, which answers at the base URLs: ${advice}`,
      { cause },
    )
  }
}

function advise(cause: unknown): string | undefined {
  // Under Jest, errors come from another realm: `instanceof Error` is false.
  const {
    code,
    message = '',
    name,
  } = (cause ?? {}) as {
    code?: string
    message?: string
    name?: string
  }
  if (code?.endsWith('MODULE_NOT_FOUND')) {
    if (/['"]msw\b/.test(message)) return 'install it with npm i -D msw.'
    return undefined
  }
  if (name === 'SyntaxError' || message.startsWith('Must use import'))
    return "it has ES modules, which Jest can't load as it is configured. Add what msw needs, in jest.config.js: const { withGreenhouse } = require('greenhouse-mock/jest'); module.exports = withGreenhouse({ /* your configuration */ })."
  return undefined
}
