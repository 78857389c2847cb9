/**
 * Real time, from the globals at the time this module loads: timers that a test fakes later do not affect it. No other
 * module reads these globals, and this module is loaded first.
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

type TimeGlobals = Pick<typeof globalThis, 'Date' | 'performance' | 'setTimeout' | 'clearTimeout' | 'setImmediate'>

/** Returns the original of a global. `undefined` if it does not exist, or if a fake hides it. */
function real<Name extends keyof TimeGlobals>(
  name: Name,
  value: unknown = globalThis[name],
): TimeGlobals[Name] | undefined {
  let found = value as Fakeable | undefined
  while (found?.clock) found = found.clock[`_${name}`] as Fakeable | undefined
  // The fakes of node:test are bound private methods.
  const isFake =
    found?._isMockFunction === true || found?.isMock === true || found?.name?.startsWith('bound #') === true
  return isFake ? undefined : (found as TimeGlobals[Name] | undefined)
}

/** Prefers Node's timers: those of jsdom-like environments have no `unref`, stop with the page, and may be missing. */
function realOrOfNode<Name extends 'setTimeout' | 'clearTimeout' | 'setImmediate'>(
  name: Name,
): TimeGlobals[Name] | undefined {
  const timers = (globalThis as { process?: Partial<NodeJS.Process> }).process?.getBuiltinModule?.('node:timers')
  return (timers && real(name, timers[name])) ?? real(name)
}

const timeout = realOrOfNode('setTimeout')

/** Whether timers were faked before this module loaded, by a library that hides the originals: then no wait would ever end. */
export const timersAreFaked = timeout === undefined

export const setTimeout: typeof globalThis.setTimeout = timeout ?? globalThis.setTimeout

export const clearTimeout: typeof globalThis.clearTimeout = realOrOfNode('clearTimeout') ?? globalThis.clearTimeout

/** Calls back after this turn of the event loop; with a timer if there is no `setImmediate`. */
export const setImmediate: (run: () => void) => void = realOrOfNode('setImmediate') ?? ((run) => setTimeout(run, 0))

/** Resolves after other work of the event loop has had a turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

/** For parsing and formatting dates; `systemNow` returns the time. */
export const Date: DateConstructor = real('Date') ?? globalThis.Date

const stopwatch = real('performance')

/** The machine's time in milliseconds since 1970. */
export const systemNow: () => number =
  real('Date')?.now ?? (() => (stopwatch ? Math.floor(stopwatch.timeOrigin + stopwatch.now()) : Date.now()))

/** Milliseconds on the monotonic clock: for measuring, never for decisions. */
export const monotonicNow: () => number = stopwatch ? stopwatch.now.bind(stopwatch) : systemNow

/** Whether `process.nextTick` is faked, as far as this module can see. Jest 30 shows modules a copy of `process`, whose fakes Node does not use. */
export function ticksAreFaked(): boolean {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> }
  const ofNode = process?.getBuiltinModule?.('node:process') ?? process
  return ofNode?.nextTick !== undefined && 'clock' in ofNode.nextTick
}
