import { Button, Menu, ViewHead } from '../../components/index.ts'
import type { FormField } from '../../components/form/kind.ts'
import { usePanel } from '../../data/panel.ts'
import type { CollectionSummary } from '../../data/shapes.ts'
import { resetWorld } from '../../frame/go-back.ts'
import { FieldFilters } from './field-filters.tsx'

interface DataToolbarProps {
  readonly collection: CollectionSummary
  readonly fields: readonly FormField[]
  readonly onAdd: () => void
  readonly onExport: (what: 'collection' | 'world') => void
}

export function DataToolbar({ collection: { name, title }, fields, onAdd, onExport }: DataToolbarProps) {
  const panel = usePanel()
  const { world } = panel
  return (
    <ViewHead
      title={title}
      of="Data"
      search={{ label: `Filter ${name} by text`, placeholder: 'Any field' }}
      actions={
        <>
          <Button kind="primary" icon="plus" title="Add a record (n)" onClick={onAdd}>
            Add
          </Button>
          <Menu
            label="Export and reset"
            items={[
              { title: `Export ${name}…`, icon: 'download', run: () => onExport('collection') },
              { title: 'Export the whole world…', icon: 'download', run: () => onExport('world') },
              { title: `Reset ${world.name.value}…`, icon: 'undo', kind: 'danger', run: () => resetWorld(panel) },
            ]}
          />
        </>
      }
    >
      <FieldFilters fields={fields} />
    </ViewHead>
  )
}
