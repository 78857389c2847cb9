import type { Variant } from '../../greenhouse/variants.ts'

export interface CommandRun {
  /** The exit code; 128 plus the signal's number if a signal ended it. */
  readonly code: number
  /** How long it took, in milliseconds. */
  readonly ms: number
  readonly hasHung: boolean
  readonly line: string | undefined
  readonly output: string
}

/** The outcome of a variant. `breaks` and `hung` mean that the command depends on the value in force. */
export type VariantOutcome = 'breaks' | 'hung' | 'flaky' | 'holds' | 'not run' | 'not consulted'

export interface FlipResult {
  readonly variant: Variant
  readonly outcome: VariantOutcome
  readonly run?: CommandRun | undefined
}

export interface FlipReport {
  readonly command: readonly string[]
  readonly inForce: ReadonlyMap<string, string>
  readonly baseline: {
    readonly ms: number
    readonly requests: number
    readonly consulted: ReadonlySet<string>
    /** Whether the unchanged command failed when it ran again. */
    readonly isFlaky: boolean
  }
  readonly isPartial: boolean
  /** In the registry's order. */
  readonly results: readonly FlipResult[]
}

const order: readonly VariantOutcome[] = ['breaks', 'hung', 'flaky', 'holds', 'not run', 'not consulted']

export const maxOutput = 4_000

export function sortResults(results: readonly FlipResult[]): FlipResult[] {
  return results.toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome))
}

function isBroken({ outcome }: FlipResult): boolean {
  return outcome === 'breaks' || outcome === 'hung'
}

export function hasFailed(result: FlipResult): boolean {
  return isBroken(result) || result.outcome === 'flaky'
}

export function toDependencies({ results }: FlipReport): string[] {
  return [...new Set(results.filter(isBroken).map(({ variant }) => variant.id))]
}

export function countOutcomes({ results }: FlipReport): Record<VariantOutcome, number> {
  const counts = Object.fromEntries(order.map((outcome) => [outcome, 0])) as Record<VariantOutcome, number>
  for (const { outcome } of results) counts[outcome]++
  return counts
}
