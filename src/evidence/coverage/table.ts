import type { Coverage } from './coverage.ts'
import { families, familyOf } from './cells.ts'

export const columns = ['ok', ...families] as const

export interface CoverageRow {
  readonly operation: string
  readonly cells: Readonly<Partial<Record<(typeof columns)[number], { readonly seen: number; readonly all: number }>>>
}

/** Counts the cells of each operation. A family consists of its own cell and those of its statuses. */
export function sumByOperation({ counts }: Pick<Coverage, 'counts'>): CoverageRow[] {
  const rows = new Map<string, Partial<Record<string, { seen: number; all: number }>>>()
  for (const [cell, count] of Object.entries(counts)) {
    const [operation, what] = cell.split('/') as [string, string]
    const column = columnOf(what)
    if (column === undefined || operation === 'scenario') continue
    const row = rows.get(operation) ?? {}
    const sum = (row[column] ??= { seen: 0, all: 0 })
    sum.all++
    if (count > 0) sum.seen++
    rows.set(operation, row)
  }
  return [...rows].map(([operation, cells]) => ({ operation, cells }))
}

function columnOf(what: string): string | undefined {
  const status = Number(what)
  return Number.isNaN(status) ? families.find((family) => family === what) : (familyOf(status) ?? 'ok')
}

export function sumOthers({ counts }: Pick<Coverage, 'counts'>): { title: string; seen: number; all: number }[] {
  const totals = new Map<string, { seen: number; all: number }>()
  for (const [cell, count] of Object.entries(counts)) {
    const [owner, what] = cell.split('/') as [string, string]
    if (columnOf(what) !== undefined && owner !== 'scenario') continue
    const title = owner === 'scenario' ? 'scenarios' : 'faults of deliveries'
    const sum = totals.get(title) ?? { seen: 0, all: 0 }
    sum.all++
    if (count > 0) sum.seen++
    totals.set(title, sum)
  }
  return [...totals].map(([title, sum]) => ({ title, ...sum }))
}
