import { toJson } from '../../../core/http/json.ts'
import { toIso } from '../../../core/time/time-text.ts'
import { Link, RelativeTime } from '../../components/index.ts'
import type { FormField } from '../../components/form/kind.ts'

interface CellProps {
  readonly field: FormField
  readonly value: unknown
  readonly isId: boolean
  readonly target: string | undefined
}

const longest = 200

export function Cell({ field, value, isId, target }: CellProps) {
  if (value === undefined || value === null)
    return (
      <span class="muted" title={value === null ? 'null' : 'not set'}>
        –
      </span>
    )
  if (target !== undefined && typeof value === 'string')
    return (
      <Link class="data-cell clip mono" to={{ view: 'data', rest: [target, value] }}>
        {value}
      </Link>
    )
  if (field.kind === 'stored-time' && typeof value === 'number') return <RelativeTime at={toIso(value)} />
  if (field.kind === 'time' && typeof value === 'string') return <RelativeTime at={value} />
  const text = formatValue(value)
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text
  return (
    <span class={`data-cell clip ${isId || typeof value === 'object' ? 'mono' : ''}`} title={shown}>
      {shown}
    </span>
  )
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === 'string')) return value.join(', ')
    return value.length === 0 ? '[]' : `${value.length} × {…}`
  }
  return typeof value === 'object' ? toJson(value) : String(value)
}
