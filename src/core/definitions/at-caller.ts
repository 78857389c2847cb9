/** Runs work so that the stack of its errors begins with the line of a caller. */
export type AtCaller = <T>(work: () => T) => T

/**
 * Runs a public function so that the stack of its errors begins with the line that calls it: test runners show that
 * line. A bug in Greenhouse keeps its whole stack. @param called the public function.
 */
export function atCaller<T>(called: Function, work: () => T): T {
  try {
    const result = work()
    return result instanceof Promise ? (rejectAtCaller(called, result) as T) : result
  } catch (error) {
    if (isRefusal(error)) Error.captureStackTrace?.(error, called)
    throw error
  }
}

/**
 * Makes the stacks of the methods' errors begin with the line of the call. A call with a function as argument is left alone,
 * because the function may throw errors of its own. Changes the object.
 */
export function methodsAtCaller<T extends object>(object: T, names: readonly (keyof T & string)[]): T {
  for (const name of names) {
    const method = object[name] as (...args: unknown[]) => unknown
    object[name] = function called(this: unknown, ...args: unknown[]): unknown {
      return args.some((arg) => typeof arg === 'function')
        ? method.apply(this, args)
        : atCaller(called, () => method.apply(this, args))
    } as T[typeof name]
  }
  return object
}

/**
 * Captures the stack now, for work that runs when the caller is no longer on it. Returns a function that runs the work so that
 * the stack of its errors begins with the line that called `called`.
 */
export function laterAtCaller(called: Function): AtCaller {
  const caller: { stack?: string } = {}
  Error.captureStackTrace?.(caller, called)
  return (work) => {
    try {
      return work()
    } catch (error) {
      const lines = caller.stack?.indexOf('\n    at ') ?? -1
      if (lines >= 0 && isRefusal(error)) error.stack = `${String(error)}${caller.stack!.slice(lines)}`
      throw error
    }
  }
}

function rejectAtCaller(called: Function, result: Promise<unknown>): Promise<unknown> {
  const later = laterAtCaller(called)
  return result.catch((error: unknown) =>
    later(() => {
      throw error
    }),
  )
}

/**
 * Whether an error refuses a call. Errors of JavaScript itself ("Cannot read properties of undefined") do not: their
 * stack shows the bug in Greenhouse.
 */
function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error) || !Object.isExtensible(error)) return false
  return error.message.startsWith('Failed to ') || !/^(Type|Reference|Syntax)Error$/.test(error.name)
}
