import type { Column } from '../../components/index.ts'
import type { FormField } from '../../components/form/kind.ts'
import type { CollectionSummary, RecordValue } from '../../data/shapes.ts'
import { Cell } from './cell.tsx'

const onNarrow = 3

export function toColumns({ id, relations }: CollectionSummary, fields: readonly FormField[]): Column<RecordValue>[] {
  const sorted = [...fields].sort((one, other) => rank(one) - rank(other))
  return sorted.map((field, place) => ({
    id: field.name,
    title: field.title,
    sorts: true,
    isExtra: place >= onNarrow,
    align: (field.kind === 'integer' || field.kind === 'number') && field.name !== id ? 'end' : 'start',
    cell: (record) => (
      <Cell field={field} value={record[field.name]} isId={field.name === id} target={relations[field.name]} />
    ),
  }))

  function rank({ name, kind }: FormField): number {
    if (name === id) return 0
    if (relations[name]) return 2
    return kind === 'json' ? 3 : 1
  }
}
