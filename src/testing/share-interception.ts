import type { Greenhouse } from '../api/greenhouse.ts'
import type { Joining } from './join-msw.ts'
import { loadWithMsw } from './load-msw.ts'
import type { Interception } from './msw-server.ts'

type Join = (greenhouse: Greenhouse, joining: Joining) => Promise<() => Promise<void>>

/**
 * Shares one interception between all tests that have none of their own. It opens for the first test and closes after the last.
 */
export function shareInterception<T extends Interception>(open: () => Promise<T>, close: (shared: T) => void): Join {
  let shared: { readonly opened: Promise<T>; users: number } | undefined
  return async (greenhouse, joining) => {
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
