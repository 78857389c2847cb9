import { codedError } from '../core/text/error-codes.ts'
import { findPage } from '../core/contract/platform.ts'
import { toReason } from '../core/contract/errors.ts'
import { toFingerprint } from '../core/secrets/known-secrets.ts'
import { parseTrustedJson, toJson } from '../core/http/json.ts'
import { afterIfAlive } from '../core/time/clock.ts'
import type { Change } from '../core/world/changes.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { applyState } from './start-from-case.ts'
import { type CaseSettings, toState } from './world-case.ts'
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

const whyNotMoved =
  'because there is no room to move it. Remove it and reload the page; until then, the state is in memory only.'

const howToStartAnew =
  'the code says something else than when this state began. Start anew with greenhouse.world().reset(), or in the panel.'

interface KeepOptions {
  readonly world: LiveWorld
  /** The start as code gives it; a stored state overrules it. */
  readonly code: object
  readonly settings: () => CaseSettings
  readonly observe: (observer: (change: Change) => void) => () => void
}

interface KeptPlace extends KeepOptions {
  readonly place: string
  readonly storage: Storage
  readonly channel: BroadcastChannel | undefined
}

/** A state of the storage, and the fingerprint of the code that it began with. */
interface StoredState {
  readonly text: string | null
  readonly code: string | null
}

/**
 * A storage that fails is reported once. With `local`, other tabs follow. @throws TypeError outside
 * of a page
 */
export function keepInPage(kept: KeepOptions, kind: 'session' | 'local'): () => void {
  const page = findPage()
  const place = `${kind}Storage` as const
  if (!page)
    throw codedError(
      'GREENHOUSE_INVALID_ARGUMENT',
      `Failed to call createGreenhouse(): the option "persist" needs the ${place} of a page, and there is none here. A server keeps its state with "serve --state FILE".`,
    )
  let storage: Storage
  let stored: StoredState
  try {
    storage = page[place]
    stored = {
      text: storage.getItem(storageKey),
      code: storage.getItem(codeKey),
    }
  } catch (error) {
    // For example, the page is in a sandbox.
    console.warn(
      `Greenhouse failed to read its state from ${place}: ${toReason(error)} It is in memory only.`,
    )
    return () => undefined
  }
  const isShared = kind === 'local' && typeof BroadcastChannel === 'function'
  const channel = isShared ? new BroadcastChannel(storageKey) : undefined
  const state = new PageState({
    ...kept,
    place,
    storage,
    channel,
  })
  state.restore(stored)
  const stopObserving = kept.observe((change) => state.noteChange(change))
  channel?.addEventListener('message', ({ data }: MessageEvent<string>) => state.follow(data))
  const flush = () => state.flush()
  page.addEventListener('pagehide', flush)
  return () => {
    flush()
    stopObserving()
    channel?.close()
    page.removeEventListener('pagehide', flush)
  }
}

/** The state of a world in the storage of a page. */
class PageState {
  readonly #kept: KeptPlace
  readonly #ownCode: string
  /** True if the state began with what the code says now. */
  #isOfCode = true
  #isApplying = false
  #isReported = false
  #hasFailed = false
  /**
   * True if the storage still holds a state that cannot be read, so that nothing is written over
   * it.
   */
  #isTaken = false
  #cancel: (() => void) | undefined

  constructor(kept: KeptPlace) {
    this.#kept = kept
    this.#ownCode = toFingerprint(toJson(kept.code))
  }

  restore({ text, code }: StoredState): void {
    if (text === null) return
    this.#isOfCode = false
    try {
      this.#apply(text)
      if (code !== null && code !== this.#ownCode)
        console.warn(
          `Greenhouse goes on with its state from ${this.#kept.place}, which overrules "use" and "fixtures": ${howToStartAnew}`,
        )
    } catch (error) {
      this.#isOfCode = true
      const outcome = this.#setAside(text)
      console.warn(
        `Greenhouse failed to restore its state from ${this.#kept.place}, and starts from its fixtures. ${outcome} ${toReason(error)}`,
      )
    }
  }

  noteChange(change: Change): void {
    if (this.#isApplying || ('world' in change && change.world !== this.#kept.world.name)) return
    if (change.type === 'world' && change.change === 'reset') this.#isOfCode = true
    this.#cancel ??= afterIfAlive(this.#hasFailed ? longPause : pause, () => this.#write())
  }

  /** Takes over the state of another tab: the newest change wins. */
  follow(text: string): void {
    this.#cancel?.()
    this.#cancel = undefined
    try {
      this.#apply(text)
    } catch (error) {
      console.warn(`Greenhouse failed to follow another tab: ${toReason(error)}`)
    }
  }

  flush(): void {
    if (!this.#cancel) return
    this.#cancel()
    this.#write()
  }

  #apply(text: string) {
    const { world, settings } = this.#kept
    this.#isApplying = true
    try {
      const state = parseTrustedJson(text)
      assertCase(state, this.#kept.place)
      applyState(world, state, settings().assumptions)
    } finally {
      this.#isApplying = false
    }
  }

  #write() {
    const { world, settings } = this.#kept
    this.#cancel = undefined
    const text = toJson(toState(world, settings()))
    this.#kept.channel?.postMessage(text)
    if (this.#isTaken) return
    try {
      this.#kept.storage.setItem(storageKey, text)
      if (this.#isOfCode) this.#kept.storage.setItem(codeKey, this.#ownCode)
      this.#hasFailed = false
    } catch (error) {
      if (!this.#isReported)
        console.warn(
          `Greenhouse failed to save its state in ${this.#kept.place}: ${toReason(error)} It is in memory only.`,
        )
      this.#isReported = this.#hasFailed = true
    }
  }

  /** Moves a state that cannot be read out of the way. Returns where it is. */
  #setAside(text: string): string {
    try {
      this.#kept.storage.setItem(rejectedKey, text)
      return `What was there is now in "${rejectedKey}".`
    } catch {
      this.#isTaken = true
      return `What was there is still in "${storageKey}", ${whyNotMoved}`
    }
  }
}
