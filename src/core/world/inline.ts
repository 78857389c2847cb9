import { toDigest } from '../store/fingerprint.ts'

/** A scenario that is given whole in the place of a name, checked: its title and its effects, as data that nobody can change. */
export interface InlineScenario {
  readonly data: { readonly title: string; readonly [member: string]: unknown }
  /** How much memory it takes, in bytes, roughly. */
  readonly bytes: number
}

/** A scenario, which may be one that is given whole. */
interface MayBeInline {
  readonly inline?: InlineScenario | undefined
}

/** How many of them a world has at most. */
export const mostInline = 100

/** The longest name that a title becomes. */
const longestName = 64

/** What is wrong with a scenario that is given whole. To a user a RangeError like any other. */
export class InlineScenarioError extends RangeError {
  /** What was given. */
  readonly given: object
  /** What is wrong, and where in it. */
  readonly findings: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]

  constructor(message: string, given: object, findings: InlineScenarioError['findings']) {
    super(message)
    this.given = given
    this.findings = findings
  }
}

/** Whether a choice is a scenario itself, and no name of one. */
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
 * What a scenario with a title is called: `Apps are down` becomes `inline-apps-are-down`. What a name can't hold is told
 * apart by a digest, and so is the rest of a long title.
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

/** A name for a scenario without a title: `inline-1`, or the number after the greatest that is taken. */
export function toFreeName(taken: Iterable<string>, isTaken: (name: string) => boolean): string {
  let number = 1
  for (const name of taken) {
    const [, digits] = /^inline-(\d{1,9})$/.exec(name) ?? []
    if (digits !== undefined) number = Math.max(number, Number(digits) + 1)
  }
  while (isTaken(`inline-${number}`)) number++
  return `inline-${number}`
}

/** How many bytes the scenarios take that are given whole. */
export function weighInline(scenarios: readonly MayBeInline[]): number {
  return scenarios.reduce((sum, { inline }) => sum + (inline?.bytes ?? 0), 0)
}

/** @throws RangeError for more of them than a world has. */
export function assertFewInline(scenarios: readonly MayBeInline[]): void {
  const count = scenarios.filter(({ inline }) => inline !== undefined).length
  if (count > mostInline)
    throw new RangeError(
      `Failed to use an inline scenario: a world has at most ${mostInline} of them. Clear some, such as world.clear("inline-1"), or all with world.clear().`,
    )
}
