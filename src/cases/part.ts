import { findPage } from '../core/contract/across-builds.ts'
import { toReason } from '../core/contract/errors.ts'
import { parseTrustedJson, toJson } from '../core/http/json.ts'
import { after } from '../core/time/clock.ts'
import { type Change, History } from '../core/world/changes.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { applyState, toCaseInSteps, toState } from './world-case.ts'
import type { CaseInSteps, CaseQuery, CaseSettings } from './world-case.ts'
import { assertCase } from './format.ts'
import type { Case } from './generated/case.ts'

/** How long after a change the state is written, in milliseconds, so that many changes need one write. */
const pause = 200

/** The delay of a retry after a failed write, in milliseconds. It is long, because writing a large state takes time. */
const longPause = 10_000
const storageKey = 'greenhouse-mock'

/** The key for a state that cannot be read, so that it is not lost. */
const rejectedKey = `${storageKey}.refused`

interface KeptWorld {
  readonly world: LiveWorld
  readonly settings: () => CaseSettings
  readonly observe: (observer: (change: Change) => void) => () => void
}

/** A storage that fails is reported once. With `local`, other tabs follow. @throws TypeError outside of a page */
function keepInPage({ world, settings, observe }: KeptWorld, kind: 'session' | 'local'): () => void {
  const page = findPage()
  const place = `${kind}Storage` as const
  if (!page)
    throw new TypeError(
      `Failed to call createGreenhouse(): the option "persist" needs the ${place} of a page, and there is none here. A server keeps its state with "serve --state FILE".`,
    )
  let storage: Storage
  let stored: string | null
  try {
    storage = page[place]
    stored = storage.getItem(storageKey)
  } catch (error) {
    // For example, the page is in a sandbox.
    console.warn(`Greenhouse failed to read its state from ${place}: ${toReason(error)} It is in memory only.`)
    return () => undefined
  }
  const channel =
    kind === 'local' && typeof BroadcastChannel === 'function' ? new BroadcastChannel(storageKey) : undefined
  let isApplying = false
  let isReported = false
  let hasFailed = false
  /** Whether the storage still holds a state that cannot be read, so that nothing is written over it. */
  let isTaken = false
  let cancel: (() => void) | undefined

  const apply = (text: string) => {
    isApplying = true
    try {
      const state = parseTrustedJson(text)
      assertCase(state, place)
      applyState(world, state, settings().assumptions)
    } finally {
      isApplying = false
    }
  }
  const write = () => {
    cancel = undefined
    const text = toJson(toState(world, settings()))
    channel?.postMessage(text)
    if (isTaken) return
    try {
      storage.setItem(storageKey, text)
      hasFailed = false
    } catch (error) {
      if (!isReported)
        console.warn(`Greenhouse failed to save its state in ${place}: ${toReason(error)} It is in memory only.`)
      isReported = hasFailed = true
    }
  }
  const flush = () => {
    if (!cancel) return
    cancel()
    write()
  }

  if (stored !== null)
    try {
      apply(stored)
    } catch (error) {
      let outcome = `What was there is now in "${rejectedKey}".`
      try {
        storage.setItem(rejectedKey, stored)
      } catch {
        isTaken = true
        outcome = `What was there is still in "${storageKey}", because there is no room to move it. Remove it and reload the page; until then, the state is in memory only.`
      }
      console.warn(
        `Greenhouse failed to restore its state from ${place}, and starts from its fixtures. ${outcome} ${toReason(error)}`,
      )
    }
  const stopObserving = observe((change) => {
    if (isApplying || ('world' in change && change.world !== world.name)) return
    cancel ??= after(hasFailed ? longPause : pause, write, false)
  })
  channel?.addEventListener('message', ({ data }: MessageEvent<string>) => {
    // The newest change wins.
    cancel?.()
    cancel = undefined
    try {
      apply(data)
    } catch (error) {
      console.warn(`Greenhouse failed to follow another tab: ${toReason(error)}`)
    }
  })
  page.addEventListener('pagehide', flush)
  return () => {
    flush()
    stopObserving()
    channel?.close()
    page.removeEventListener('pagehide', flush)
  }
}

/** The part that adds `world.toCase`. */
export interface CasePart {
  readonly part: 'case'
  /** Returns a function that creates the history of a world. @internal */
  openHistories(): () => History
  /** @internal */
  toCaseInSteps(world: LiveWorld, settings: CaseSettings, query?: CaseQuery): CaseInSteps
  /** @internal */
  toState(world: LiveWorld, settings: CaseSettings): Case
  /** Keeps the state of the world `default` in a page's storage. Returns a function that stops this. @internal */
  keepInPage(kept: KeptWorld, kind: 'session' | 'local'): () => void
}

/** Adds `world.toCase` to worlds and the option `persist`, for `createGreenhouse` of `greenhouse-mock/core`. */
export const cases: CasePart = {
  part: 'case',
  openHistories() {
    const budget = { used: 0 }
    return () => new History(budget)
  },
  toCaseInSteps,
  toState,
  keepInPage,
}
