import type { Variant } from '../../greenhouse/variants.ts'

/** How one run of a command ended. */
export interface CommandRun {
  /** 128 and the signal's number where a signal ended it. */
  readonly code: number
  /** How long it took, in milliseconds. */
  readonly ms: number
  /** Whether it was ended because it took too long. */
  readonly hasHung: boolean
  /** The first line that looks like a failure, else the last one; `undefined` when it printed nothing. */
  readonly line: string | undefined
  /** The end of what it printed, stdout and stderr as they came. */
  readonly output: string
}

/** What became of a variant. A command that fails or hangs in it each time depends on what is in force. */
export type Outcome = 'breaks' | 'hung' | 'flaky' | 'holds' | 'not run' | 'not consulted'

/** One variant, and what became of it. */
export interface FlipResult {
  readonly variant: Variant
  readonly outcome: Outcome
  /** How the command ended in it first, where it ran to its end. */
  readonly run?: CommandRun | undefined
}

/** All that a flip found out. */
export interface FlipReport {
  readonly command: readonly string[]
  /** What every assumption is where nothing is flipped, by id. */
  readonly inForce: ReadonlyMap<string, string>
  readonly baseline: {
    readonly ms: number
    /** How many requests the command sent. */
    readonly requests: number
    /** The assumptions that were read while it ran. */
    readonly consulted: ReadonlySet<string>
    /** Whether the command failed as it is when it ran again. */
    readonly isFlaky: boolean
  }
  /** Whether it was stopped before its end. */
  readonly isPartial: boolean
  /** In the order of the assumptionRegistry. */
  readonly results: readonly FlipResult[]
}

const order: readonly Outcome[] = ['breaks', 'hung', 'flaky', 'holds', 'not run', 'not consulted']

/** The results with those first that need a look. */
export function sortResults(results: readonly FlipResult[]): FlipResult[] {
  return results.toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome))
}

/** Whether the command depends on what is in force in place of this variant. */
export function isBroken({ outcome }: FlipResult): boolean {
  return outcome === 'breaks' || outcome === 'hung'
}

/** Whether the command failed in this variant, each time or by chance. */
export function hasFailed(result: FlipResult): boolean {
  return isBroken(result) || result.outcome === 'flaky'
}

/** The assumptions that the command depends on. */
export function toDependencies({ results }: FlipReport): string[] {
  return [...new Set(results.filter(isBroken).map(({ variant }) => variant.id))]
}

/** How many variants had each outcome. */
export function countOutcomes({ results }: FlipReport): Record<Outcome, number> {
  const counts = Object.fromEntries(order.map((outcome) => [outcome, 0])) as Record<Outcome, number>
  for (const { outcome } of results) counts[outcome]++
  return counts
}
