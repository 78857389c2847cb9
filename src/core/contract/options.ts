import { codedError } from '../text/error-codes.ts'
import { quote, showValue, suggest } from '../text/messages.ts'
import type { Fields } from '../text/values.ts'

/** Returns a copy without the fields that are `undefined`. */
export function givenOf<T extends object>(
  options: T,
): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as never
}

/**
 * Throws if a call got a second argument, which JavaScript would ignore. A number is allowed:
 * `folders.map(loadFixtures)` passes an index. @param advice what to do instead
 */
export function rejectSecondArgument(
  call: string,
  { 1: second }: ArrayLike<unknown>,
  advice: string,
): void {
  if (second !== undefined && typeof second !== 'number')
    throw codedError(
      'GREENHOUSE_INVALID_ARGUMENT',
      `Failed to call ${call}(): it takes one argument; ${showValue(second)} was given too. ${advice}`,
    )
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Makes a misspelt collection throw, such as `records.plant`. Ignores other unknown names, which
 * test frameworks may read.
 */
export function throwOnMisspeltNames(records: object): object {
  const names = Object.getOwnPropertyNames(records)
  return new Proxy(records, {
    get(target, name, receiver) {
      const hint = typeof name === 'string' && !(name in target) ? suggest(name, names) : ''
      if (hint !== '')
        throw codedError(
          'GREENHOUSE_INVALID_ARGUMENT',
          `There are no records called ${quote(String(name))}.${hint}`,
        )
      return Reflect.get(target, name, receiver)
    },
  })
}

export type WithCallerStack = <T>(work: () => T) => T

/**
 * Runs work; an error for the caller gets a stack that begins with the line that calls `called`, as
 * test runners show it. A bug in Greenhouse keeps its whole stack.
 */
export function withCallerStack<T>(called: Function, work: () => T): T {
  try {
    const result = work()
    if (result instanceof Promise) return rejectWithCallerStack(called, result) as T
    return result
  } catch (error) {
    if (isMeantForCaller(error)) Error.captureStackTrace?.(error, called)
    throw error
  }
}

/**
 * Lets methods throw where they are called, see `withCallerStack`. A call with a function as argument
 * is left alone, because the function may throw its own errors.
 */
export function throwAtCallSite<T extends object>(
  object: T,
  names: readonly (keyof T & string)[],
): T {
  for (const name of names) {
    const method = object[name] as (...args: unknown[]) => unknown
    // The function passes itself, as the place below which the stack is cut.
    object[name] = function called(this: unknown, ...args: unknown[]): unknown {
      if (args.some((arg) => typeof arg === 'function')) return method.apply(this, args)
      return withCallerStack(called, () => method.apply(this, args))
    } as T[typeof name]
  }
  return object
}

/** Captures the stack now, for work that runs when the caller is no longer on it. */
export function keepCallerStack(called: Function): WithCallerStack {
  const caller: { stack?: string } = {}
  Error.captureStackTrace?.(caller, called)
  return (work) => {
    try {
      return work()
    } catch (error) {
      // The frames of a stack begin where the message ends.
      const lines = caller.stack?.indexOf('\n    at ') ?? -1
      if (lines >= 0 && isMeantForCaller(error))
        error.stack = `${String(error)}${caller.stack!.slice(lines)}`
      throw error
    }
  }
}

function rejectWithCallerStack(called: Function, result: Promise<unknown>): Promise<unknown> {
  const later = keepCallerStack(called)
  return result.catch((error: unknown) =>
    later(() => {
      throw error
    }),
  )
}

/**
 * Returns whether an error is about the caller's mistake. A TypeError of JavaScript itself is a bug
 * in Greenhouse, which its stack shows.
 */
function isMeantForCaller(error: unknown): error is Error {
  if (!(error instanceof Error) || !Object.isExtensible(error)) return false
  return (
    error.message.startsWith('Failed to ') || !/^(Type|Reference|Syntax)Error$/.test(error.name)
  )
}

/** Each method can be passed on as a function: `afterAll(greenhouse.close)`. */
export function bindMethods(owner: object, prototype: object): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
    if (typeof value === 'function' && name !== 'constructor')
      Object.assign(owner, { [name]: (value as (...args: unknown[]) => unknown).bind(owner) })
}
