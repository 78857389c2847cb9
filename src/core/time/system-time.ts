import { codedError } from '../text/error-codes.ts'
import { findNode } from '../contract/platform.ts'

/**
 * Real time, from the globals at the time this module loads: timers that a test fakes later do not
 * affect it. No other module reads these globals, and this module is loaded first.
 */

/** Fakes that reference their originals: Vitest, Jest and Sinon keep them on their clock. */
interface Fakeable {
  readonly clock?: Readonly<Record<string, unknown>>
  /** Jest's legacy fakes. */
  readonly _isMockFunction?: boolean
  /** The Date of node:test. */
  readonly isMock?: boolean
  readonly name?: string
}

/**
 * Returns the original of a function or class. `undefined` if it does not exist, or if a fake hides
 * it.
 */
function real<Original>(name: string, value: Original): Original | undefined {
  let found = value as Fakeable | undefined
  while (found?.clock) found = found.clock[`_${name}`] as Fakeable | undefined
  // The fakes of node:test are bound private methods.
  const isFake =
    found?._isMockFunction === true ||
    found?.isMock === true ||
    found?.name?.startsWith('bound #') === true
  if (isFake) return undefined
  return found as Original | undefined
}

const nodeProcess = findNode()

/**
 * Node's timers: those of jsdom-like environments have no `unref`, stop with the page, and may be
 * missing.
 */
const nodeTimers = nodeProcess?.getBuiltinModule('node:timers')

function realTimer<Name extends 'setTimeout' | 'clearTimeout' | 'setImmediate'>(name: Name) {
  return (nodeTimers && real(name, nodeTimers[name])) ?? real(name, globalThis[name])
}

const timeout = realTimer('setTimeout')

/**
 * True if timers were faked before this module loaded, by a library that hides the originals: then
 * no wait would ever end.
 */
export const timersAreFaked = timeout === undefined

export const setTimeout: typeof globalThis.setTimeout = timeout ?? globalThis.setTimeout

export const clearTimeout: typeof globalThis.clearTimeout =
  realTimer('clearTimeout') ?? globalThis.clearTimeout

export const setImmediate: (run: () => void) => void =
  realTimer('setImmediate') ?? ((run) => setTimeout(run, 0))

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

const realDate = real('Date', globalThis.Date)

/** For parsing and formatting dates; `systemNow` returns the time. */
export const Date: DateConstructor = realDate ?? globalThis.Date

const hrtime = real('hrtime', nodeProcess?.hrtime)

/**
 * Not read where `hrtime` serves: Node loads `performance` when it is first read, in 1.5 ms of each
 * start.
 */
const stopwatch = hrtime && realDate ? undefined : real('performance', globalThis.performance)

export const systemNow: () => number =
  realDate?.now ??
  (() => {
    if (stopwatch) return Math.floor(stopwatch.timeOrigin + stopwatch.now())
    return Date.now()
  })

/** Milliseconds on the monotonic clock: for measuring, never for decisions. */
export const monotonicNow: () => number = hrtime
  ? () => Number(hrtime.bigint()) / 1e6
  : (stopwatch?.now.bind(stopwatch) ?? systemNow)

export function ticksAreFaked(): boolean {
  return nodeProcess !== undefined && 'clock' in nodeProcess.nextTick
}

const needed = [
  'AbortController',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'btoa',
] as const

const neededToFetch = ['Headers', 'ReadableStream', 'Response'] as const

/**
 * Fails immediately, not at the first request, if Greenhouse cannot work in this environment.
 * @throws Error
 */
export function assertUsable(): void {
  assertGlobals('start Greenhouse', needed)
  if (timersAreFaked)
    throw codedError(
      'GREENHOUSE_UNSUPPORTED_HOST',
      'Failed to start Greenhouse: timers were faked before it was loaded, so Greenhouse could never wait for anything. Import it at the top of the file, before mock.timers.enable().',
    )
}

export function assertFetchable(): void {
  assertGlobals('answer a Request', neededToFetch)
}

function assertGlobals(what: string, names: readonly string[]): void {
  const missing = names.filter((name) => !hasGlobal(name))
  if (missing.length > 0)
    throw codedError(
      'GREENHOUSE_UNSUPPORTED_HOST',
      `Failed to ${what}: there is no ${missing.join(', no ')} here. Node and browsers have them, but Jest's environment "jsdom" hides them: use the environment "jest-fixed-jsdom", or "node".`,
    )
}

/**
 * Checks the property without reading it: Node loads some globals on first read. Since 24 it loads
 * `MessageEvent` even here, in 13 ms.
 */
function hasGlobal(name: string): boolean {
  const own = Object.getOwnPropertyDescriptor(globalThis, name)
  return own?.get !== undefined || (own ? own.value !== undefined : name in globalThis)
}
