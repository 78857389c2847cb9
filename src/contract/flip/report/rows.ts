import { hasFailed, sortResults, type FlipReport, type FlipResult } from '../result.ts'

interface FlipRow {
  readonly id: string
  readonly inForce: string
  readonly values: readonly string[]
  readonly outcome: string
  readonly line: string
}

export function toRows({ results, inForce }: FlipReport): FlipRow[] {
  const rows = new Map<string, FlipRow>()
  for (const result of sortResults(results)) {
    const { id, value, title } = result.variant
    const key = hasFailed(result) ? title : JSON.stringify([id, result.outcome])
    const values = [...(rows.get(key)?.values ?? []), value]
    const line = hasFailed(result) ? toLine(result) : ''
    rows.set(key, { id, inForce: inForce.get(id)!, values, outcome: result.outcome, line })
  }
  return [...rows.values()]
}

export function toLine({ run }: FlipResult): string {
  if (run!.hasHung) return `still running after ${toSeconds(run!.ms)}${run!.line === undefined ? '' : `; ${run!.line}`}`
  return run!.line ?? `exit code ${run!.code}, nothing printed`
}

export function toSeconds(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < 90_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`
}
