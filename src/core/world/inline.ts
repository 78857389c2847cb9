import { toDigest } from '../secrets/fingerprint.ts'

export interface CoreInlineScenario {
  readonly data: { readonly title: string; readonly [member: string]: unknown }
  readonly bytes: number
}

interface MayBeInline {
  readonly inline?: CoreInlineScenario | undefined
}

const maxInline = 100

const longestName = 64

export class InlineScenarioError extends RangeError {
  readonly given: object
  readonly findings: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]

  constructor(message: string, given: object, findings: InlineScenarioError['findings']) {
    super(message)
    this.given = given
    this.findings = findings
  }
}

export function isInline(choice: unknown): choice is object {
  return (
    typeof choice === 'object' &&
    choice !== null &&
    !Array.isArray(choice) &&
    Object.keys(choice).length > 0 &&
    (choice as { name?: unknown }).name === undefined
  )
}

/**
 * Returns the name of a scenario with a title: `Apps are down` becomes `inline-apps-are-down`. A digest replaces
 * characters that a name cannot have, and the rest of a long title.
 */
export function toInlineName(title: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const name = words.startsWith('inline-') ? words : words === '' ? 'inline' : `inline-${words}`
  if (words !== '' && name.length <= longestName && /^[ -~]*$/.test(title)) return name
  return `${name.slice(0, longestName - 9)}-${toDigest(title).slice(0, 8)}`
}

/** Returns a free name for a scenario without a title: `inline-1`, or the number after the highest one in use. */
export function toFreeName(taken: Iterable<string>, isTaken: (name: string) => boolean): string {
  let number = 1
  for (const name of taken) {
    const [, digits] = /^inline-(\d{1,9})$/.exec(name) ?? []
    if (digits !== undefined) number = Math.max(number, Number(digits) + 1)
  }
  while (isTaken(`inline-${number}`)) number++
  return `inline-${number}`
}

export function inlineSizeOf(scenarios: readonly MayBeInline[]): number {
  return scenarios.reduce((sum, { inline }) => sum + (inline?.bytes ?? 0), 0)
}

export function assertFewInline(scenarios: readonly MayBeInline[]): void {
  const count = scenarios.filter(({ inline }) => inline !== undefined).length
  if (count > maxInline)
    throw new RangeError(
      `Failed to use an inline scenario: a world has at most ${maxInline} of them. Clear some, such as world.clear("inline-1"), or all with world.clear().`,
    )
}
