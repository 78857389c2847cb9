import type { Variant } from '../../greenhouse/variants.ts'
import type { CommandRun, FlipResult, Outcome } from './result.ts'

/** How often a command must break in a variant in a row; one that hangs takes its time. */
const timesToBreak = 3
const timesToHang = 2

/** How often the command runs as it is besides, as long as nothing failed by chance. */
const mostControls = 8

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
  /** Runs the command as it is, once more. */
  runAsIs(): Promise<CommandRun>
  /** Is told of each variant that ran to its end, and how many did so far. */
  onResult?(result: FlipResult, done: number): void
}

/** What became of the variants. */
export interface FlipRuns {
  readonly results: readonly FlipResult[]
  /** Whether the command failed as it is when it ran again. */
  readonly isFlaky: boolean
}

/** Whether a variant has to run. What the baseline never read can't change it: up to the first read both are the same. */
export function mustRun({ id }: Variant, consulted: ReadonlySet<string> | undefined): boolean {
  return consulted === undefined || consulted.has(id)
}

/** Runs the command in every variant that can change it. @throws what `run` throws, once the runs under way have ended. */
export async function runVariants(variants: readonly Variant[], options: FlipOptions): Promise<FlipRuns> {
  const { consulted, parallel, signal } = options
  const found = new Map<Variant, FlipResult>()
  const waiting = variants.filter((variant) => mustRun(variant, consulted))
  let failure: { readonly error: unknown } | undefined
  let controls = 0
  /** Whether a variant failed and then passed. */
  let hasVaried = false
  let isFlaky = false
  /** What a failure says: it counts where the command passes as it is, and fails in the variant again. */
  const confirm = async (variant: Variant, first: CommandRun): Promise<Outcome> => {
    const isControlled = !isFlaky && (hasVaried || controls++ < mostControls)
    if (isControlled && isFailure(await options.runAsIs()) && !signal.aborted) isFlaky = true
    for (let times = first.hasHung ? timesToHang : timesToBreak; times > 1 && !isFlaky && !signal.aborted; times--)
      if (!isFailure(await options.run(variant))) {
        hasVaried = true
        return 'flaky'
      }
    return isFlaky ? 'flaky' : toOutcome(first)
  }
  const work = async () => {
    while (!failure && !signal.aborted) {
      const variant = waiting.shift()
      if (!variant) return
      try {
        const run = await options.run(variant)
        const outcome = isFailure(run) && !signal.aborted ? await confirm(variant, run) : toOutcome(run)
        // One that was cut short says nothing.
        if (signal.aborted) return
        const result = { variant, outcome, run }
        found.set(variant, result)
        options.onResult?.(result, found.size)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  if (failure && !signal.aborted) throw failure.error
  const results = variants.map((variant): FlipResult => {
    const result = found.get(variant)
    if (!result) return { variant, outcome: mustRun(variant, consulted) ? 'not run' : 'not consulted' }
    // A command that fails by chance shows no dependency, also in what was found before that was known.
    return isFlaky && isFailure(result.run!) ? { ...result, outcome: 'flaky' } : result
  })
  return { results, isFlaky }
}

function isFailure({ code, hasHung }: CommandRun): boolean {
  return hasHung || code !== 0
}

function toOutcome(run: CommandRun): Outcome {
  return run.hasHung ? 'hung' : isFailure(run) ? 'breaks' : 'holds'
}
