import type { Variant } from '../../greenhouse/variants.ts'

/** How one run of a command ended. */
export interface CommandRun {
  /** The exit code; 128 plus the signal's number if a signal ended it. */
  readonly code: number
  /** How long it took, in milliseconds. */
  readonly ms: number
  /** Whether it was killed after the timeout. */
  readonly hasHung: boolean
  /** The first failure-like line, or else the last line; `undefined` without output. */
  readonly line: string | undefined
  /** The end of its output, stdout and stderr interleaved. */
  readonly output: string
}

/** The outcome of a variant. `breaks` and `hung` mean that the command depends on the value in force. */
export type VariantOutcome = 'breaks' | 'hung' | 'flaky' | 'holds' | 'not run' | 'not consulted'

/** A variant and its outcome. */
export interface FlipResult {
  readonly variant: Variant
  readonly outcome: VariantOutcome
  /** The first complete run of the command. */
  readonly run?: CommandRun | undefined
}

export interface FlipReport {
  readonly command: readonly string[]
  /** The value of every assumption in the baseline, by id. */
  readonly inForce: ReadonlyMap<string, string>
  readonly baseline: {
    readonly ms: number
    /** How many requests the command sent. */
    readonly requests: number
    /** The assumptions that were read while it ran. */
    readonly consulted: ReadonlySet<string>
    /** Whether the unchanged command failed when it ran again. */
    readonly isFlaky: boolean
  }
  /** Whether it was stopped before its end. */
  readonly isPartial: boolean
  /** In the registry's order. */
  readonly results: readonly FlipResult[]
}

const order: readonly VariantOutcome[] = ['breaks', 'hung', 'flaky', 'holds', 'not run', 'not consulted']

/** The most characters of a command's output in a report. */
export const maxOutput = 4_000

/** Sorts results: those that need attention first. */
export function sortResults(results: readonly FlipResult[]): FlipResult[] {
  return results.toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome))
}

/** Whether the command depends on this assumption. */
function isBroken({ outcome }: FlipResult): boolean {
  return outcome === 'breaks' || outcome === 'hung'
}

/** Whether the command failed in this variant, each time or by chance. */
export function hasFailed(result: FlipResult): boolean {
  return isBroken(result) || result.outcome === 'flaky'
}

/** Returns the ids of the assumptions that the command depends on. */
export function toDependencies({ results }: FlipReport): string[] {
  return [...new Set(results.filter(isBroken).map(({ variant }) => variant.id))]
}

export function countOutcomes({ results }: FlipReport): Record<VariantOutcome, number> {
  const counts = Object.fromEntries(order.map((outcome) => [outcome, 0])) as Record<VariantOutcome, number>
  for (const { outcome } of results) counts[outcome]++
  return counts
}
