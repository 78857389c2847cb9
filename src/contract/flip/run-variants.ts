import type { Variant } from '../../greenhouse/variants.ts'
import type { CommandRun, FlipReport, FlipResult, VariantOutcome } from './result.ts'

/**
 * How many times in a row a command must break, or hang, in a variant for that to count. Hangs cost more time, so fewer
 * are enough.
 */
const timesToBreak = 3
const timesToHang = 2

const maxControls = 8

interface FlipOptions {
  /** The assumptions that the baseline read; `undefined` to run all variants. */
  readonly consulted: ReadonlySet<string> | undefined
  readonly parallel: number
  readonly signal: AbortSignal
  run(variant: Variant): Promise<CommandRun>
  runAsIs(): Promise<CommandRun>
  onResult?(result: FlipResult, done: number): void
}

type FlipRuns = Pick<FlipReport, 'results'> & Pick<FlipReport['baseline'], 'isFlaky'>

/**
 * Whether a variant must run. An assumption that the baseline never read cannot change the run: up to its first read,
 * both runs are the same.
 */
export function mustRun({ id }: Variant, consulted: ReadonlySet<string> | undefined): boolean {
  return consulted === undefined || consulted.has(id)
}

export async function runVariants(variants: readonly Variant[], options: FlipOptions): Promise<FlipRuns> {
  const { consulted, parallel, signal } = options
  const found = new Map<Variant, FlipResult>()
  const waiting = variants.filter((variant) => mustRun(variant, consulted))
  let failure: { readonly error: unknown } | undefined
  let controls = 0
  let hasVaried = false
  let isFlaky = false
  /** Confirms a failure: it counts only if the unchanged command passes and the variant fails again. */
  const confirm = async (variant: Variant, first: CommandRun): Promise<VariantOutcome> => {
    const isControlled = !isFlaky && (hasVaried || controls++ < maxControls)
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
        // An aborted run proves nothing.
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
    // A flaky command proves no dependency, not even in earlier results.
    return isFlaky && isFailure(result.run!) ? { ...result, outcome: 'flaky' } : result
  })
  return { results, isFlaky }
}

function isFailure({ code, hasHung }: CommandRun): boolean {
  return hasHung || code !== 0
}

function toOutcome(run: CommandRun): VariantOutcome {
  return run.hasHung ? 'hung' : isFailure(run) ? 'breaks' : 'holds'
}
