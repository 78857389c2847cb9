import type { AssumptionChoices } from '../../api/names.ts'
import type { Variant } from '../../api/variants.ts'
import { countOf } from '../../core/text/messages.ts'
import type { Cell, CommandReport, ReportCase, Span } from '../../output/reports.ts'

export function toFlipReport(report: FlipReport): CommandReport {
  const { results, inForce } = report
  return {
    name: 'flip',
    title: 'What the command depends on',
    summary: toSentences(report).join('\n'),
    sections: [
      {
        columns: ['Assumption', 'In force', 'Variant', 'Outcome', 'First line that failed'],
        rows: toFlipRows(report),
      },
    ],
    suites: { 'greenhouse-mock flip': results.map((result) => toReportCase(result, inForce)) },
    data: toData(report),
  }
}

function toReportCase(result: FlipResult, inForce: FlipReport['inForce']): ReportCase {
  const { variant, outcome, run } = result
  const row = {
    owner: variant.id,
    name: variant.title,
    ms: run?.ms,
  }
  if (outcome === 'holds') return row
  if (!run || !hasFailed(result))
    return {
      ...row,
      skipped: outcome,
    }
  const message = `${resultLineOf(run)} (in force: ${inForce.get(variant.id)})`
  return {
    ...row,
    failed: {
      type: outcome,
      message,
      text: run.output.slice(-maxOutput),
    },
  }
}

function toSentences(report: FlipReport): string[] {
  const {
    breaks,
    hung,
    flaky,
    holds,
    'not run': notRun,
    'not consulted': notConsulted,
  } = countOutcomes(report)
  const ran = breaks + hung + flaky + holds
  const byChance = flaky > 0 ? `${flaky} failed by chance, ` : ''
  const left = (count: number, why: string) => {
    if (count > 0) return [`${countOf(count, 'variant')} did not run, because ${why}`]
    return []
  }
  return [
    toFirstSentence(report, flaky, holds),
    `${countOf(ran, 'variant')} ran: ${breaks} broke the command, ${hung} hung, ${byChance}${holds} held.`,
    ...left(notConsulted, 'the command never consulted their assumptions. --all runs them too.'),
    ...left(notRun, 'the run was stopped first.'),
  ]
}

function toFirstSentence(report: FlipReport, flaky: number, holds: number): string {
  const dependencies = toDependencies(report)
  if (report.baseline.isFlaky)
    return 'The command is flaky: it also failed without any change, so its failures do not show what it depends on. First make it pass every time.'
  if (dependencies.length > 0)
    return `The command depends on ${countOf(dependencies.length, 'unstated behaviour')}: ${dependencies.join(', ')}.`
  if (flaky > 0) return 'No unstated behaviour breaks the command every time.'
  if (holds > 0) return 'The command depends on none of the unstated behaviours that were flipped.'
  return 'Nothing was flipped.'
}

function toData(report: FlipReport) {
  const { command, baseline, isPartial, results, inForce } = report
  const counts = Object.entries(countOutcomes(report)).map(([outcome, count]) => [
    outcome.replace(' ', '_'),
    count,
  ])
  const consulted = [...inForce.keys()].filter((id) => baseline.consulted.has(id))
  return {
    command,
    baseline: {
      ms: Math.round(baseline.ms),
      requests: baseline.requests,
      consulted,
      flaky: baseline.isFlaky,
    },
    depends_on: toDependencies(report),
    partial: isPartial,
    summary: Object.fromEntries(counts),
    variants: results.map((result) => toVariant(result, inForce)),
  }
}

function toVariant(
  { variant: { id, value }, outcome, run }: FlipResult,
  inForce: FlipReport['inForce'],
) {
  const failed = outcome === 'holds' ? undefined : run
  return {
    assumption: id,
    in_force: inForce.get(id),
    value,
    outcome: outcome.replace(' ', '_'),
    exit_code: run && !run.hasHung ? run.code : null,
    ms: run ? Math.round(run.ms) : null,
    line: failed?.line ?? null,
    output: failed?.output.slice(-maxOutput) ?? null,
  }
}

function toFlipRows({ results, inForce }: FlipReport): Cell[][] {
  const rows = new Map<
    string,
    {
      readonly variants: Span[]
      readonly result: FlipResult
    }
  >()
  const sorted = results.toSorted(
    (one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome),
  )
  for (const result of sorted) {
    const { id, value, title } = result.variant
    const key = hasFailed(result) ? title : JSON.stringify([id, result.outcome])
    const before = rows.get(key)
    if (before) before.variants.push(', ', { code: value })
    else
      rows.set(key, {
        variants: [{ code: value }],
        result,
      })
  }
  return Array.from(rows.values(), ({ variants, result }) => {
    const { variant, run } = result
    const line = run && hasFailed(result) ? { code: resultLineOf(run) } : ''
    const value = inForce.get(variant.id) ?? ''
    return [{ code: variant.id }, { code: value }, variants, result.outcome, line]
  })
}

export function resultLineOf({ hasHung, ms, line, code }: CommandRun): string {
  if (!hasHung) return line ?? `exit code ${code}, nothing printed`
  const waited = `still running after ${toSeconds(ms)}`
  if (line === undefined) return waited
  return `${waited}; ${line}`
}

export function toSeconds(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 90_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${Math.round(ms / 60_000)} min`
}

/** How often in a row a command must break, or hang, for that to count. Hangs cost more time. */
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

/**
 * An assumption that the baseline never read cannot change the run: up to its first read, both runs
 * are the same.
 */
export function mustRun({ id }: Variant, consulted: ReadonlySet<string> | undefined): boolean {
  return consulted === undefined || consulted.has(id)
}

export async function runVariants(variants: readonly Variant[], options: FlipOptions) {
  const { consulted, signal } = options
  const run = new VariantRun(variants, options)
  await Promise.all(Array.from({ length: options.parallel }, () => run.work()))
  if (run.failure && !signal.aborted) throw run.failure.error
  const { isFlaky } = run
  const results = variants.map((variant): FlipResult => {
    const result = run.found.get(variant)
    if (!result)
      return {
        variant,
        outcome: mustRun(variant, consulted) ? 'not run' : 'not consulted',
      }
    // A flaky command proves no dependency, not even in earlier results.
    if (isFlaky && result.run && isFailure(result.run))
      return {
        ...result,
        outcome: 'flaky',
      }
    return result
  })
  return { results, isFlaky }
}

class VariantRun {
  readonly found = new Map<Variant, FlipResult>()
  failure: { readonly error: unknown } | undefined
  isFlaky = false
  readonly #options: FlipOptions
  readonly #waiting: Variant[]
  #controls = 0
  #hasVaried = false

  constructor(variants: readonly Variant[], options: FlipOptions) {
    this.#options = options
    this.#waiting = variants.filter((variant) => mustRun(variant, options.consulted))
  }

  /** Runs variants until none waits. */
  async work(): Promise<void> {
    const { signal, onResult } = this.#options
    while (!this.failure && !signal.aborted) {
      const variant = this.#waiting.shift()
      if (!variant) return
      try {
        const result = await this.#decide(variant)
        // An aborted run proves nothing.
        if (signal.aborted) return
        this.found.set(variant, result)
        onResult?.(result, this.found.size)
      } catch (error) {
        this.failure ??= { error }
      }
    }
  }

  async #decide(variant: Variant): Promise<FlipResult> {
    const run = await this.#options.run(variant)
    const isOpen = isFailure(run) && !this.#options.signal.aborted
    return {
      variant,
      outcome: isOpen ? await this.#confirm(variant, run) : outcomeOfRun(run),
      run,
    }
  }

  /**
   * Confirms a failure: it counts only if the unchanged command passes and the variant fails again.
   */
  async #confirm(variant: Variant, first: CommandRun): Promise<VariantOutcome> {
    const { runAsIs, run, signal } = this.#options
    const isControlled = !this.isFlaky && (this.#hasVaried || this.#controls < maxControls)
    if (isControlled && !this.#hasVaried) this.#controls++
    if (isControlled && isFailure(await runAsIs()) && !signal.aborted) this.isFlaky = true
    let times = first.hasHung ? timesToHang : timesToBreak
    while (--times > 0 && !this.isFlaky && !signal.aborted)
      if (!isFailure(await run(variant))) {
        this.#hasVaried = true
        return 'flaky'
      }
    return this.isFlaky ? 'flaky' : outcomeOfRun(first)
  }
}

function isFailure({ code, hasHung }: CommandRun): boolean {
  return hasHung || code !== 0
}

function outcomeOfRun(run: CommandRun): VariantOutcome {
  if (run.hasHung) return 'hung'
  return isFailure(run) ? 'breaks' : 'holds'
}

export interface CommandRun {
  /** The exit code; 128 plus the signal's number if a signal ended it. */
  readonly code: number
  readonly ms: number
  readonly hasHung: boolean
  readonly line: string | undefined
  readonly output: string
}

/**
 * The outcomes of variants. `breaks` and `hung` mean that the command depends on the value in
 * force.
 */
const order = ['breaks', 'hung', 'flaky', 'holds', 'not run', 'not consulted'] as const

type VariantOutcome = (typeof order)[number]

export interface FlipResult {
  readonly variant: Variant
  readonly outcome: VariantOutcome
  readonly run?: CommandRun
}

export interface FlipReport {
  readonly command: readonly string[]
  readonly inForce: ReadonlyMap<string, string>
  readonly baseline: {
    readonly ms: number
    readonly requests: number
    readonly consulted: ReadonlySet<string>
    readonly isFlaky: boolean
  }
  readonly isPartial: boolean
  readonly results: readonly FlipResult[]
}

const maxOutput = 4_000

function hasBroken({ outcome }: FlipResult): boolean {
  return outcome === 'breaks' || outcome === 'hung'
}

export function hasFailed(result: FlipResult): boolean {
  return hasBroken(result) || result.outcome === 'flaky'
}

function toDependencies({ results }: FlipReport): string[] {
  return [...new Set(results.filter(hasBroken).map(({ variant }) => variant.id))]
}

function countOutcomes({ results }: FlipReport): Record<VariantOutcome, number> {
  const count = (wanted: VariantOutcome) =>
    results.filter(({ outcome }) => outcome === wanted).length
  return Object.fromEntries(order.map((outcome) => [outcome, count(outcome)])) as Record<
    VariantOutcome,
    number
  >
}

/**
 * The values that `greenhouse-mock flip` passes to the worlds of tests, as JSON in GREENHOUSE_FLIP.
 */
export interface FlipSettings {
  readonly folder: string
  readonly assumptions: AssumptionChoices
}

export interface WorldsReport {
  readonly requests: number
  readonly consulted: readonly string[]
}
