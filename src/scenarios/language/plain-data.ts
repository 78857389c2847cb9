import { briefMessage, quote } from '../../core/text/messages.ts'
import type { Fields } from '../../core/text/values.ts'
import type { Finding } from '../../core/store/validation-message.ts'
import { InlineScenarioError } from '../../core/world/scenario-choice.ts'

const maxListedMistakes = 5

export function toMistakesError(given: object, findings: readonly Finding[]): InlineScenarioError {
  const listed = findings.slice(0, maxListedMistakes).map(({ path, message }) => {
    if (path.length === 0) return message
    return `${showPath(path)}: ${message}`
  })
  const more = findings.length - maxListedMistakes
  if (more > 0) listed.push(`and ${more} more`)
  return new InlineScenarioError(
    briefMessage(`Failed to use an inline scenario: ${listed.join('; ')}`),
    given,
    findings.slice(0, 100),
  )
}

function showPath(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => {
    if (typeof step === 'number' || /^\d+$/.test(String(step))) return `[${String(step)}]`
    if (/^\w{1,100}$/.test(String(step))) return `.${String(step)}`
    return `[${quote(String(step))}]`
  })
  return steps.join('').replace(/^\./, '')
}

/** The maximum depth: more than scenarios need. What a `toJSON` makes may have no end. */
const deepest = 100
const max = 100

/** Ends the reading of data that has no end: what is not read would only cause more mistakes. */
const endOfReading = new Error('endless')

/**
 * Copies an object as `JSON.stringify` would write it, with a finding for what JSON cannot express.
 * Returns nothing for one without an end: the last finding says where.
 */
export function toPlainData(given: object, findings: Finding[]): Fields | undefined {
  try {
    return copyPlain(given, findings, [], []) as Fields
  } catch (error) {
    if (error !== endOfReading) throw error
    return undefined
  }
}

/** @param holders the objects that a value is in, the outermost first: one for each step of its path */
function copyPlain(
  given: unknown,
  findings: Finding[],
  path: Finding['path'],
  holders: readonly unknown[],
): unknown {
  const fail = (message: string, place = path) => {
    if (findings.length < max)
      findings.push({
        path: place,
        message,
      })
  }
  const value = toWritten(given, path)
  if (typeof value !== 'object' || value === null) {
    const problem = findScalarProblem(value)
    if (problem !== undefined) fail(problem)
    return value
  }
  const isInItself = holders.includes(value)
  if (isInItself || path.length > deepest) {
    if (isInItself) fail('refers to a value that contains it')
    else fail(`nested deeper than ${deepest} levels`, path.slice(0, 3))
    throw endOfReading
  }
  const within = [...holders, value]
  if (Array.isArray(value))
    return value.map((item, index) => copyPlain(item, findings, [...path, index], within))
  if (isOfClass(value)) return void fail(`is ${describeClass(value)}: expected a JSON value`)
  const copy: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue
    if (name === '__proto__') fail('the name "__proto__" is not allowed', [...path, name])
    else copy[name] = copyPlain(part, findings, [...path, name], within)
  }
  return copy
}

/** Returns what an object says that is written in its place. */
function toWritten(given: unknown, path: Finding['path']): unknown {
  const { toJSON } = (given ?? {}) as { toJSON?: unknown }
  if (typeof given !== 'object' || typeof toJSON !== 'function') return given
  return toJSON.call(given, path.slice(-1).join())
}

function findScalarProblem(given: unknown): string | undefined {
  if (typeof given === 'number') {
    if (Number.isFinite(given)) return undefined
    return `is not a valid JSON number: ${given}`
  }
  if (typeof given === 'function')
    return 'is a function: a scenario is data. For a reply that your code makes, put an MSW handler before those of Greenhouse (docs/stubs.md)'
  if (given === null || ['string', 'boolean', 'bigint'].includes(typeof given)) return undefined
  return `is ${String(given)}: expected a JSON value`
}

function isOfClass(given: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(given)
  return prototype !== null && Object.getPrototypeOf(prototype) !== null
}

function describeClass(given: object): string {
  const name = (given.constructor as { name?: unknown } | undefined)?.name
  if (typeof name === 'string' && /^\w{1,40}$/.test(name)) return `a ${name}`
  return 'an object of a class'
}
