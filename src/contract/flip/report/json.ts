import { countOutcomes, maxOutput, toDependencies, type FlipReport, type FlipResult } from '../result.ts'

export function toFlipJson(report: FlipReport): string {
  const { command, baseline, isPartial, results, inForce } = report
  const { breaks, hung, flaky, holds, 'not run': notRun, 'not consulted': notConsulted } = countOutcomes(report)
  const consulted = [...inForce.keys()].filter((id) => baseline.consulted.has(id))
  const content = {
    command,
    baseline: { ms: Math.round(baseline.ms), requests: baseline.requests, consulted, flaky: baseline.isFlaky },
    depends_on: toDependencies(report),
    partial: isPartial,
    summary: { breaks, hung, flaky, holds, not_run: notRun, not_consulted: notConsulted },
    variants: results.map((result) => toVariant(result, inForce)),
  }
  return JSON.stringify(content, null, 2) + '\n'
}

function toVariant({ variant: { id, value }, outcome, run }: FlipResult, inForce: FlipReport['inForce']) {
  const hasFailed = run !== undefined && outcome !== 'holds'
  return {
    assumption: id,
    in_force: inForce.get(id),
    value,
    outcome: outcome.replace(' ', '_'),
    exit_code: run && !run.hasHung ? run.code : null,
    ms: run ? Math.round(run.ms) : null,
    line: hasFailed ? (run.line ?? null) : null,
    output: hasFailed ? run.output.slice(-maxOutput) : null,
  }
}
