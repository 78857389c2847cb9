import { codedError } from '../text/error-codes.ts'
import { quote, showValue, suggest } from '../text/messages.ts'

export interface OptionRule {
  /** The end of the sentence "the option takes …". */
  readonly takes: string
  /** The type of valid values. A refused value of this type is out of range; any other has the wrong type. */
  readonly type?: 'string' | 'number'
  readonly isSecret?: boolean
  accepts(value: unknown): boolean
  readonly below?: OptionRules
}

export type OptionRules = Readonly<Record<string, OptionRule>>

/** One rule for each option of `T`; the compiler reports a missing one. */
export type RulesFor<T> = { readonly [Name in keyof T]-?: OptionRule }

export function checkOptions(call: string, given: unknown, rules: OptionRules): void {
  if (!isObject(given))
    throw codedError(
      'GREENHOUSE_INVALID_ARGUMENT',
      `Failed to call ${call}(): it takes an object of options${listNames(rules)}; ${showValue(given)} was given.`,
    )
  const { value: problem } = findOptionProblems(given, rules).next()
  if (!problem) return
  const { path, value, rule, known } = problem
  const name = path.join('.')
  if (rule) return checkArgument(call, `the option "${name}"`, value, rule)
  const names = known.map((one) => [...path.slice(0, -1), one].join('.'))
  throw codedError(
    'GREENHOUSE_INVALID_ARGUMENT',
    `Failed to call ${call}(): there is no option ${quote(name)}, only ${names.join(', ')}.${suggest(name, names)}`,
  )
}

interface OptionProblem {
  readonly path: readonly string[]
  readonly value: unknown
  readonly rule?: OptionRule
  readonly known: readonly string[]
}

export function* findOptionProblems(
  given: object,
  rules: OptionRules,
  above: readonly string[] = [],
): Generator<OptionProblem, undefined> {
  for (const [name, value] of Object.entries(given)) {
    const path = [...above, name]
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (!rule) yield { path, value, known: Object.keys(rules) }
    else if (value !== undefined && !rule.accepts(value)) yield { path, value, rule, known: [] }
    else if (value !== undefined && rule.below) yield* findOptionProblems(value as object, rule.below, path)
  }
}

export function givenOf<T extends object>(options: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never
}

/** JavaScript would ignore it. A number is allowed: `folders.map(loadFixtures)` passes an index. */
export function rejectSecond(call: string, { 1: second }: ArrayLike<unknown>, advice: string): void {
  if (second !== undefined && typeof second !== 'number')
    throw codedError(
      'GREENHOUSE_INVALID_ARGUMENT',
      `Failed to call ${call}(): it takes one argument; ${showValue(second)} was given too. ${advice}`,
    )
}

export function checkArgument(call: string, name: string, value: unknown, rule: OptionRule): void {
  if (rule.accepts(value)) return
  const message = `Failed to call ${call}(): ${name} takes ${rule.takes}; ${rule.isSecret ? 'something else' : showValue(value)} was given.`
  throw codedError(typeof value === rule.type ? 'GREENHOUSE_INVALID_VALUE' : 'GREENHOUSE_INVALID_ARGUMENT', message)
}

export function text(takes: string, accepts: (value: string) => boolean = (value) => value !== ''): OptionRule {
  return { takes, type: 'string', accepts: (value) => typeof value === 'string' && accepts(value) }
}

export function wholeNumber(
  takes: string,
  least: number = Number.MIN_SAFE_INTEGER,
  max: number = Number.MAX_SAFE_INTEGER,
): OptionRule {
  return {
    takes,
    type: 'number',
    accepts: (value) =>
      (Number.isInteger(value) || value === Infinity) && (value as number) >= least && (value as number) <= max,
  }
}

export const flag: OptionRule = { takes: 'true or false', accepts: (value) => typeof value === 'boolean' }

/** A point in time. The format of a string is checked where the option is used. */
export const time: OptionRule = {
  takes: 'a time: ISO 8601, such as "2026-01-31T12:00:00Z", or milliseconds since 1970',
  type: 'number',
  accepts: (value) => typeof value === 'string' || Number.isFinite(value),
}

export const scenarioList = list("a list of scenarios, such as ['slow', 'rate-limited-plan:window=day']")

export function callback(takes: string): OptionRule {
  return { takes, accepts: (value) => typeof value === 'function' }
}

export function object(takes: string): OptionRule {
  return { takes, accepts: isObject }
}

/** A list. Without `item`, its items are checked elsewhere. */
export function list(takes: string, item: (value: unknown) => boolean = () => true): OptionRule {
  return { takes, accepts: (value) => Array.isArray(value) && value.every(item) }
}

export function section<Rules extends OptionRules>(below: Rules): OptionRule & { readonly below: Rules } {
  return { takes: `an object of options${listNames(below)}`, accepts: isObject, below }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Makes a misspelt collection throw, such as `records.plant`. Ignores other unknown names, which test frameworks may read. */
export function withKnownNames(records: object): object {
  const names = Object.getOwnPropertyNames(records)
  return new Proxy(records, {
    get(target, name, receiver) {
      const hint = typeof name === 'string' && !(name in target) ? suggest(name, names) : ''
      if (hint !== '')
        throw codedError('GREENHOUSE_INVALID_ARGUMENT', `There are no records called ${quote(String(name))}.${hint}`)
      return Reflect.get(target, name, receiver)
    },
  })
}

function listNames(rules: OptionRules): string {
  return ` (${Object.keys(rules).join(', ')})`
}

export type WithCallerStack = <T>(work: () => T) => T

/** Begins the stack with the line that calls `called`, which test runners show. A bug keeps its whole stack. */
export function withCallerStack<T>(called: Function, work: () => T): T {
  try {
    const result = work()
    return result instanceof Promise ? (rejectWithCallerStack(called, result) as T) : result
  } catch (error) {
    if (isMeantForCaller(error)) Error.captureStackTrace?.(error, called)
    throw error
  }
}

/** Leaves a call with a function as argument alone, because the function may throw its own errors. */
export function throwAtCallSite<T extends object>(object: T, names: readonly (keyof T & string)[]): T {
  for (const name of names) {
    const method = object[name] as (...args: unknown[]) => unknown
    object[name] = function called(this: unknown, ...args: unknown[]): unknown {
      return args.some((arg) => typeof arg === 'function')
        ? method.apply(this, args)
        : withCallerStack(called, () => method.apply(this, args))
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
      const lines = caller.stack?.indexOf('\n    at ') ?? -1
      if (lines >= 0 && isMeantForCaller(error)) error.stack = `${String(error)}${caller.stack!.slice(lines)}`
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

/** Errors of JavaScript itself are none of ours: their stack shows the bug in Greenhouse. */
function isMeantForCaller(error: unknown): error is Error {
  if (!(error instanceof Error) || !Object.isExtensible(error)) return false
  return error.message.startsWith('Failed to ') || !/^(Type|Reference|Syntax)Error$/.test(error.name)
}
