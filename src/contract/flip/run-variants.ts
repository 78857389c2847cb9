import type { Variant } from '../../greenhouse/variants.ts'
import type { CommandRun, FlipResult, Outcome } from './result.ts'

/** How variants are run. */
export interface FlipOptions {
  /** The assumptions that the baseline read; `undefined` where all variants are to run. */
  readonly consulted: ReadonlySet<string> | undefined
  /** How many run at once. */
  readonly parallel: number
  /** Is aborted when no more variants are to start and those under way are to end. */
  readonly signal: AbortSignal
  /** Runs the command in a variant. */
  run(variant: Variant): Promise<CommandRun>
  /** Is told of each variant that ran to its end, and how many did so far. */
  onResult?(result: FlipResult, done: number): void
}

/** Whether a variant has to run. What the baseline never read can't change it: up to the first read both are the same. */
export function mustRun({ id }: Variant, consulted: ReadonlySet<string> | undefined): boolean {
  return consulted === undefined || consulted.has(id)
}

/** Runs the command in every variant that can change it. @throws what `run` throws, once the runs under way have ended. */
export async function runVariants(variants: readonly Variant[], options: FlipOptions): Promise<FlipResult[]> {
  const { consulted, parallel, signal } = options
  const found = new Map<Variant, FlipResult>()
  const waiting = variants.filter((variant) => mustRun(variant, consulted))
  let failure: { readonly error: unknown } | undefined
  const work = async () => {
    while (!failure && !signal.aborted) {
      const variant = waiting.shift()
      if (!variant) return
      try {
        const run = await options.run(variant)
        // One that was cut short says nothing.
        if (signal.aborted) return
        const result = { variant, outcome: toOutcome(run), run }
        found.set(variant, result)
        options.onResult?.(result, found.size)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  if (failure && !signal.aborted) throw failure.error
  return variants.map(
    (variant) => found.get(variant) ?? { variant, outcome: mustRun(variant, consulted) ? 'not run' : 'not consulted' },
  )
}

function toOutcome({ code, hasHung }: CommandRun): Outcome {
  return hasHung ? 'hung' : code === 0 ? 'holds' : 'breaks'
}
