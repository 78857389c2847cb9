import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { FormField } from '../../components/form/draft.ts'
import { Button, IconButton, Menu, Select, ViewHead } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import type { CollectionSummary } from '../../data/shapes.ts'
import { resetWorld } from '../../frame/go-back.ts'
import { filteredFields, wherePrefix } from './query.ts'

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

function FieldFilters({ fields }: { readonly fields: readonly FormField[] }) {
  const { router } = usePanel()
  const { params } = router.route.value
  const fresh = useSignal<string | undefined>(undefined)
  const set = filteredFields(params)
  const shown = fresh.value !== undefined && !set.includes(fresh.value) ? [...set, fresh.value] : set
  const change = (field: string, value: string | undefined) =>
    router.go({ params: { [wherePrefix + field]: value, page: undefined } }, true)
  return (
    <>
      {shown.map((name) => (
        <FieldFilter
          key={name}
          name={name}
          field={fields.find((field) => field.name === name)}
          value={params[wherePrefix + name] ?? ''}
          isFresh={name === fresh.value}
          onChange={(value) => change(name, value === '' ? undefined : value)}
          onRemove={() => {
            if (fresh.peek() === name) fresh.value = undefined
            change(name, undefined)
          }}
        />
      ))}
      <Select
        label="Filter by a field"
        value=""
        options={[
          { value: '', title: 'Field…' },
          ...fields.filter(({ name, kind }) => kind !== 'json' && !shown.includes(name)).map(({ name }) => name),
        ]}
        onChange={(name) => (fresh.value = name === '' ? undefined : name)}
      />
    </>
  )
}

interface FieldFilterProps {
  readonly name: string
  readonly field: FormField | undefined
  readonly value: string
  readonly isFresh: boolean
  readonly onChange: (value: string) => void
  readonly onRemove: () => void
}

function FieldFilter({ name, field, value, isFresh, onChange, onRemove }: FieldFilterProps) {
  const root = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (isFresh) root.current!.querySelector<HTMLElement>('input, select')?.focus()
  }, [])
  const values = field && 'values' in field ? field.values.map(String) : field?.kind === 'boolean' && ['true', 'false']
  const label = `${name} is`
  return (
    <span class="data-where pair" ref={root}>
      <span class="muted">{label}</span>
      {values ? (
        <Select
          label={label}
          value={value}
          options={[
            { value: '', title: 'any' },
            ...values,
            ...(field!.isRequired ? [] : [{ value: 'null', title: 'not set' }]),
          ]}
          onChange={onChange}
        />
      ) : (
        <input
          class="input"
          aria-label={label}
          value={value}
          placeholder="exact value"
          autocomplete="off"
          spellcheck={false}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onChange(event.currentTarget.value)
            else if (event.key === 'Escape') onRemove()
          }}
        />
      )}
      <IconButton icon="close" label={`Do not filter by ${name}`} onClick={onRemove} />
    </span>
  )
}
