import type { Finding } from './finding.ts'

/** The maximum depth: more than scenarios need, and a guard against cyclic objects. */
const deepest = 100

const most = 100

/**
 * Returns a copy of a value from code, as `JSON.stringify` would write it: without `undefined` fields, and with the results of
 * `toJSON`. Adds a finding for each value that JSON cannot express. @param isMade whether the value is a result of `toJSON`.
 */
export function toPlainData(
  given: unknown,
  findings: Finding[],
  path: readonly PropertyKey[] = [],
  isMade = false,
): unknown {
  const fail = (message: string) => {
    if (findings.length < most) findings.push({ path, message })
  }
  switch (typeof given) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return given
    case 'number':
      if (!Number.isFinite(given)) fail(`is not a valid JSON number: ${given}`)
      return given
    case 'object':
      break
    case 'function':
      return void fail(
        'is a function: a scenario is data. For a reply that your code makes, put an MSW handler before those of Greenhouse (docs/stubs.md)',
      )
    default:
      return void fail(`is ${String(given)}: expected a JSON value`)
  }
  if (given === null) return null
  if (path.length > deepest) return void fail(`nested deeper than ${deepest} levels`)
  const { toJSON } = given as { toJSON?: unknown }
  if (typeof toJSON === 'function' && !isMade)
    return toPlainData(toJSON.call(given, path.slice(-1).join()), findings, path, true)
  if (Array.isArray(given)) return given.map((item, index) => toPlainData(item, findings, [...path, index]))
  const prototype: unknown = Object.getPrototypeOf(given)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    return void fail(`is ${nameOf(given)}: expected a JSON value`)
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (name === '__proto__') fail('the name "__proto__" is not allowed')
    else copy[name] = toPlainData(value, findings, [...path, name])
  }
  return copy
}

function nameOf(given: object): string {
  const name = (given.constructor as { name?: unknown } | undefined)?.name
  return typeof name === 'string' && /^\w{1,40}$/.test(name) ? `a ${name}` : 'an object of a class'
}
