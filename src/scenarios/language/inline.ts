import * as z from 'zod/mini'
import { isObject } from '../../core/contract/options.ts'
import { briefMessage, describeProblem, quote, showValue } from '../../core/text/messages.ts'
import type { Contract } from '../../core/pipeline/area.ts'
import { byteSizeOf } from '../../core/store/memory.ts'
import { freezeRecord } from '../../core/store/record-index.ts'
import {
  InlineScenarioError,
  type InlineSource,
  type ParsedChoice,
  toInlineName,
} from '../../core/world/scenario-choice.ts'
import type { ParsedEffects } from './effect-kind.ts'
import { type Finding, readBySchema } from '../../core/store/validation-message.ts'
import { defaultsOf, fillIn } from './options.ts'
import {
  effectKinds,
  effectsOf,
  readEffects,
  type ScenarioFile,
  titleSchema,
  whyNoEffects,
} from './schema.ts'
import type { Fields } from '../../core/text/values.ts'

const largest = 2 ** 20
const maxListedMistakes = 5

/** The fields of an inline scenario; a `name` is that of a scenario that is known by it. */
const members = ['title', ...effectKinds.map(({ name }) => name), 'name']

const inlineHead = z.object({ title: z.optional(titleSchema) })

const known = new WeakMap<
  object,
  {
    readonly effects: ParsedEffects
    readonly given: WeakRef<object>
  }
>()

/**
 * @param toName returns a name for a scenario without a title. @throws InlineScenarioError with
 * every mistake and its path
 */
export function readInline(given: object, toName: () => string, contract: Contract): ParsedChoice {
  const findings: Finding[] = []
  const data = toPlainData(given, findings)
  if (!isObject(data)) {
    // A `toJSON` may make anything.
    if (findings.length === 0)
      findings.push({
        path: [],
        message: `expected a mapping, received ${showValue(data)}`,
      })
    throw toMistakesError(given, findings)
  }
  findings.push(...checkMembers(data, members), ...readBySchema(inlineHead, data).findings)
  const { effects, findings: found } = readEffects(data, contract)
  findings.push(...found.filter((finding) => !isReported(finding, findings)))
  // Twice, because both the original and the parsed form are stored.
  const bytes = 2 * byteSizeOf(data)
  if (bytes > largest)
    findings.push({
      path: [],
      message: `it takes ${bytes} bytes of memory: expected at most ${largest}`,
    })
  if (findings.length > 0) throw toMistakesError(given, findings)
  const name = Object.hasOwn(data, 'title') ? toInlineName(data['title'] as string) : toName()
  const inline: InlineSource = {
    data: freezeRecord({
      title: name,
      ...data,
    }),
    bytes,
  }
  known.set(inline.data, {
    effects,
    given: new WeakRef(given),
  })
  return {
    name,
    options: {},
    inline,
  }
}

/** Finds the fields that a scenario does not have; without any, whether it has no effects. */
export function checkMembers(data: Fields, known: readonly string[]): Finding[] {
  const findings = Object.keys(data)
    .filter((member) => !known.includes(member))
    .map((member): Finding => ({
      path: [member],
      message: describeProblem('there is no such field', member, known, true),
    }))
  const nothing = whyNoEffects(data)
  if (findings.length === 0 && nothing !== undefined)
    findings.push({
      path: [],
      message: nothing,
    })
  return findings
}

export function toInlineChoice(file: ScenarioFile): object {
  return {
    title: file.title,
    ...fillIn(effectsOf(file), defaultsOf(file.options ?? {})),
  }
}

export function parsedEffects({ data }: InlineSource): ParsedEffects {
  return known.get(data)?.effects ?? []
}

/** Returns the error for mistakes that only a world shows, such as an unknown account. */
export function toInlineError(
  { data }: InlineSource,
  findings: readonly Finding[],
): InlineScenarioError {
  return toMistakesError(known.get(data)?.given.deref() ?? data, findings)
}

/** Returns whether a mistake, or one of the whole that it is in, is reported already. */
export function isReported({ path }: Finding, findings: readonly Finding[]): boolean {
  return findings.some(
    (finding) => finding.path.length > 0 && finding.path.every((step, at) => step === path[at]),
  )
}

function toMistakesError(given: object, findings: readonly Finding[]): InlineScenarioError {
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
const endOfReading = new Error('This data has no end.')

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
