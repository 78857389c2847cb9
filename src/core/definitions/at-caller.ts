/**
 * Does the work of a public function so that its errors begin with the line that calls it: test runners show the first line of
 * a stack. A mistake of the engine itself keeps its stack. @param called the public function.
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
 * Lets the errors of some methods begin with the line that calls them, unless a function is among the arguments: what that one
 * throws keeps its stack. Changes the object.
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

/** The caller's lines are gone by the time that a promise is rejected. */
function rejectAtCaller(called: Function, result: Promise<unknown>): Promise<unknown> {
  const caller: { stack?: string } = {}
  Error.captureStackTrace?.(caller, called)
  return result.catch((error: unknown) => {
    const lines = caller.stack?.indexOf('\n    at ') ?? -1
    if (lines >= 0 && isRefusal(error)) error.stack = `${String(error)}${caller.stack!.slice(lines)}`
    throw error
  })
}

/** Not for what JavaScript itself throws: "Cannot read properties of undefined". Its lines say where the engine is wrong. */
function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error) || !Object.isExtensible(error)) return false
  return error.message.startsWith('Failed to ') || !/^(Type|Reference|Syntax)Error$/.test(error.name)
}
