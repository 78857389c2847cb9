import { codedError, type GreenhouseErrorCode } from '../text/error-codes.ts'
import { recognizeAcrossBuilds } from '../contract/builds.ts'
import { isObject } from '../contract/options.ts'
import { decodeWherePossible, type Fields } from '../text/values.ts'
import { toDigest } from '../secrets/known-secrets.ts'
import { quote, showValue, toSlug } from '../text/messages.ts'

/**
 * A scenario that somebody chose, with a name. People write a string, `name` or
 * `name:option=value,option=value`; an object with the name and its options; or an inline scenario:
 * an object without a name, with effects.
 */
export interface ParsedChoice {
  readonly name: string
  readonly options: Fields
  readonly inline?: InlineSource
}

const max = 32

export class TooManyScenariosError extends RangeError {
  override name = 'TooManyScenariosError'
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_LIMIT_REACHED'
}

recognizeAcrossBuilds(TooManyScenariosError, 'TooManyScenariosError')

/** A part that begins with `option=` belongs to the scenario before it: `slow:ms=800,on=apps.*`. */
export function splitScenarios(text: string): string[] {
  return splitAtCommas(text, (part, before) => !before.includes(':') || !isPair.test(part))
    .map((part) => part.trim())
    .filter(Boolean)
}

function splitAtCommas(text: string, isNext: (part: string, before: string) => boolean): string[] {
  const parts: string[] = []
  for (const part of text.split(',')) {
    const before = parts.pop()
    if (before === undefined) parts.push(part)
    else if (isNext(part, before)) parts.push(before, part)
    else parts.push(`${before},${part}`)
  }
  return parts
}

const isPair = /^ *[a-z][\w-]*=/i

export function parseChoiceText(text: string): ParsedChoice[] {
  const parts = splitScenarios(text)
  if (parts.length > max)
    throw new TooManyScenariosError(
      `Failed to use ${parts.length} scenarios: a request can name at most ${max}.`,
    )
  return parts.map(parseText)
}

const choiceForms =
  'its name and options as text, such as "slow:ms=800", or as an object, such as { name: "slow", ms: 800 }, or an inline scenario, such as { respond: [{ on: "apps.list", status: 500 }] }'

export function parseChoice(choice: unknown): ParsedChoice {
  if (typeof choice === 'string') return parseText(choice)
  if (!isObject(choice) || typeof choice['name'] !== 'string')
    throw codedError(
      'GREENHOUSE_INVALID_ARGUMENT',
      `Failed to use a scenario: expected ${choiceForms}; ${showValue(choice)} was given.${Array.isArray(choice) ? ' Call it once for each, or call world.useOnly().' : ''}`,
    )
  const { name, ...options } = choice as {
    name: string
    options?: unknown
  }
  if (Object.hasOwn(options, 'options')) {
    const flat = { name, ...(typeof options.options === 'object' ? options.options : {}) }
    throw codedError(
      'GREENHOUSE_INVALID_SCENARIO',
      `Failed to use the scenario ${quote(name)}: put options beside the name, not below "options". Write ${showValue(flat)}.`,
    )
  }
  return { name, options }
}

/**
 * Parses `slow:ms=800,on=apps.*`. Semicolons separate options too. An option without a value is
 * `true`.
 */
function parseText(text: string): ParsedChoice {
  const colon = text.indexOf(':')
  if (colon < 0)
    return {
      name: text.trim(),
      options: {},
    }
  // Any other comma is part of a value.
  const options = text
    .slice(colon + 1)
    .split(';')
    .flatMap((part) => splitAtCommas(part, (pair) => isPair.test(pair)))
    .filter((pair) => pair.trim() !== '')
    .map((pair) => {
      // An invalid percent-encoding is taken literally: `message=100%`.
      const equals = pair.indexOf('=')
      if (equals < 0) return [pair.trim(), 'true']
      return [pair.slice(0, equals).trim(), decodeWherePossible(pair.slice(equals + 1).trim())]
    })
  return {
    name: text.slice(0, colon).trim(),
    options: Object.fromEntries(options) as Record<string, string>,
  }
}

export interface InlineSource {
  readonly data: {
    readonly title: string
    readonly [member: string]: unknown
  }
  readonly bytes: number
}

const maxInline = 100

const longestName = 64

export class InlineScenarioError extends RangeError {
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_INVALID_SCENARIO'
  readonly given: object
  readonly findings: readonly {
    readonly path: readonly PropertyKey[]
    readonly message: string
  }[]

  constructor(message: string, given: object, findings: InlineScenarioError['findings']) {
    super(message)
    this.given = given
    this.findings = findings
  }
}

export function isInline(choice: unknown): choice is object {
  return isObject(choice) && Object.keys(choice).length > 0 && choice['name'] === undefined
}

/** `Apps are down` becomes `inline-apps-are-down`. A digest replaces what a name cannot have. */
export function toInlineName(title: string): string {
  const words = toSlug(title)
  const named = words.startsWith('inline-') ? words : `inline-${words}`
  const name = words === '' ? 'inline' : named
  if (words !== '' && name.length <= longestName && /^[ -~]*$/.test(title)) return name
  return `${name.slice(0, longestName - 9)}-${toDigest(title).slice(0, 8)}`
}

export function findFreeName(taken: Iterable<string>, isTaken: (name: string) => boolean): string {
  let number = 1
  for (const name of taken) {
    const found = /^inline-(\d{1,9})$/.exec(name)
    if (found) number = Math.max(number, Number(found[1]) + 1)
  }
  while (isTaken(`inline-${number}`)) number++
  return `inline-${number}`
}

export function inlineSizeOf(scenarios: readonly ParsedChoice[]): number {
  return scenarios.reduce((sum, { inline }) => sum + (inline?.bytes ?? 0), 0)
}

export function assertFewInline(scenarios: readonly ParsedChoice[]): void {
  const count = scenarios.filter(({ inline }) => inline !== undefined).length
  if (count > maxInline)
    throw codedError(
      'GREENHOUSE_LIMIT_REACHED',
      `Failed to use an inline scenario: a world has at most ${maxInline} of them. Clear some, such as world.clear("inline-1"), or all with world.clear().`,
    )
}
