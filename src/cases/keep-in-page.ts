import { codedError } from '../core/text/error-codes.ts'
import { findPage } from '../core/contract/platform.ts'
import { toReason } from '../core/contract/errors.ts'
import { toFingerprint } from '../core/secrets/secret-finder.ts'
import { parseTrustedJson, toJson } from '../core/http/json.ts'
import { after } from '../core/time/clock.ts'
import type { Change } from '../core/world/changes.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { applyState, toState } from './world-case.ts'
import type { CaseSettings } from './world-case.ts'
import { assertCase } from './format.ts'

/**
 * How long after a change the state is written, in milliseconds, so that many changes need one
 * write.
 */
const pause = 200

/**
 * The delay of a retry after a failed write, in milliseconds. It is long, because writing a large
 * state takes time.
 */
const longPause = 10_000
const storageKey = 'greenhouse-mock'

/** The key for the fingerprint of what the code said when the state began. */
const codeKey = `${storageKey}.code`

/** The key for a state that cannot be read, so that it is not lost. */
const rejectedKey = `${storageKey}.refused`

interface KeptWorld {
  readonly world: LiveWorld
  /** The start as code gives it; a stored state overrules it. */
  readonly code: object
  readonly settings: () => CaseSettings
  readonly observe: (observer: (change: Change) => void) => () => void
}

/**
 * A storage that fails is reported once. With `local`, other tabs follow. @throws TypeError outside
 * of a page
 */
export function keepInPage(
  { world, code, settings, observe }: KeptWorld,
  kind: 'session' | 'local',
): () => void {
  const page = findPage()
  const place = `${kind}Storage` as const
  if (!page)
    throw codedError(
      'GREENHOUSE_INVALID_ARGUMENT',
      `Failed to call createGreenhouse(): the option "persist" needs the ${place} of a page, and there is none here. A server keeps its state with "serve --state FILE".`,
    )
  const ownCode = toFingerprint(toJson(code))
  let storage: Storage
  let stored: string | null
  let storedCode: string | null
  try {
    storage = page[place]
    stored = storage.getItem(storageKey)
    storedCode = storage.getItem(codeKey)
  } catch (error) {
    // For example, the page is in a sandbox.
    console.warn(
      `Greenhouse failed to read its state from ${place}: ${toReason(error)} It is in memory only.`,
    )
    return () => undefined
  }
  const channel =
    kind === 'local' && typeof BroadcastChannel === 'function'
      ? new BroadcastChannel(storageKey)
      : undefined
  /** True if the state began with what the code says now. */
  let isOfCode = stored === null
  let isApplying = false
  let isReported = false
  let hasFailed = false
  /**
   * True if the storage still holds a state that cannot be read, so that nothing is written over
   * it.
   */
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
      if (isOfCode) storage.setItem(codeKey, ownCode)
      hasFailed = false
    } catch (error) {
      if (!isReported)
        console.warn(
          `Greenhouse failed to save its state in ${place}: ${toReason(error)} It is in memory only.`,
        )
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
      if (storedCode !== null && storedCode !== ownCode)
        console.warn(
          `Greenhouse goes on with its state from ${place}, which overrules "use" and "fixtures": the code says something else than when this state began. Start anew with greenhouse.world().reset(), or in the panel.`,
        )
    } catch (error) {
      isOfCode = true
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
    if (change.type === 'world' && change.change === 'reset') isOfCode = true
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
