/**
 * Real time, taken from the globals as this module is loaded: timers that a test fakes later are not ours. Nothing else
 * asks the globals for time, so it is loaded with whatever is loaded first.
 */

/** Its fakes know what they stand for: those of Vitest, Jest and Sinon keep the real ones on their clock. */
interface Fakeable {
  readonly clock?: Readonly<Record<string, unknown>>
  /** Jest's legacy fakes. */
  readonly _isMockFunction?: boolean
  /** The Date of node:test. */
  readonly isMock?: boolean
  readonly name?: string
}

type TimeGlobals = Pick<typeof globalThis, 'Date' | 'performance' | 'setTimeout' | 'clearTimeout' | 'setImmediate'>

/** A global without fakes. `undefined` when there is none, or when a fake hides the original. */
function real<Name extends keyof TimeGlobals>(
  name: Name,
  value: unknown = globalThis[name],
): TimeGlobals[Name] | undefined {
  let found = value as Fakeable | undefined
  while (found?.clock) found = found.clock[`_${name}`] as Fakeable | undefined
  // Those of node:test are private methods, bound.
  const isFake =
    found?._isMockFunction === true || found?.isMock === true || found?.name?.startsWith('bound #') === true
  return isFake ? undefined : (found as TimeGlobals[Name] | undefined)
}

/** Node's own timers first: those of a page-like test environment know no `unref`, and end with the page, and some it does not have. */
function realOrOfNode<Name extends 'setTimeout' | 'clearTimeout' | 'setImmediate'>(
  name: Name,
): TimeGlobals[Name] | undefined {
  const timers = (globalThis as { process?: Partial<NodeJS.Process> }).process?.getBuiltinModule?.('node:timers')
  return (timers && real(name, timers[name])) ?? real(name)
}

const timeout = realOrOfNode('setTimeout')

/** Whether timers were faked before this module was loaded, by something that does not tell the real ones: nothing that waits would ever end. */
export const timersAreFaked = timeout === undefined

export const setTimeout: typeof globalThis.setTimeout = timeout ?? globalThis.setTimeout

export const clearTimeout: typeof globalThis.clearTimeout = realOrOfNode('clearTimeout') ?? globalThis.clearTimeout

/** Runs something once this turn of the event loop is over, or soon where there is no `setImmediate`. */
export const setImmediate: (run: () => void) => void = realOrOfNode('setImmediate') ?? ((run) => setTimeout(run, 0))

/** Resolves once others had their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

/** For reading and writing dates; `systemNow` tells the time. */
export const Date: DateConstructor = real('Date') ?? globalThis.Date

const stopwatch = real('performance')

/** The machine's time in milliseconds since 1970. */
export const systemNow: () => number =
  real('Date')?.now ?? (() => (stopwatch ? Math.floor(stopwatch.timeOrigin + stopwatch.now()) : Date.now()))

/** Milliseconds on the monotonic clock: for measuring, never for decisions. */
export const monotonicNow: () => number = stopwatch ? stopwatch.now.bind(stopwatch) : systemNow

/** Whether `process.nextTick` is faked, as far as this code can see. Jest 30 shows it a copy of `process`, whose fakes Node itself does not use. */
export function ticksAreFaked(): boolean {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> }
  const ofNode = process?.getBuiltinModule?.('node:process') ?? process
  return ofNode?.nextTick !== undefined && 'clock' in ofNode.nextTick
}
