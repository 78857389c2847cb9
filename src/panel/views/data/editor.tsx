import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button, SchemaForm, Skeleton, toast } from '../../components/index.ts'
import type { FilledForm } from '../../components/form/schema-form.tsx'
import { useDraft } from '../../data/draft.ts'
import { isSameJson } from '../../data/json.ts'
import { usePanel } from '../../data/panel.ts'
import type { CollectionSummary, RecordValue } from '../../data/shapes.ts'
import { changesBetween } from './changes.ts'
import { useKnownIds } from './known-ids.ts'

export interface EditorProps {
  readonly id: string
  readonly collection: CollectionSummary
  readonly collections: readonly CollectionSummary[]
  readonly record: RecordValue
}

export function Editor({ id, collection, collections, record }: EditorProps) {
  const { api, world } = usePanel()
  const { name, relations } = collection
  const schema = useKnownIds(collection, collections, record)
  const form = `record ${name} ${id}`
  const draft = useDraft(form)
  const base = useSignal(draft.peek<FilledForm>('filled')?.value ?? record)
  const round = useSignal(0)
  const isOld = useSignal(false)

  const fill = (next: RecordValue) => {
    base.value = next
    round.value++
    draft.forget()
    isOld.value = false
  }
  useEffect(() => {
    if (isSameJson(record, base.peek())) isOld.value = false
    else if (draft.isKept()) isOld.value = true
    else fill(record)
  }, [record])

  const save = async (given: Record<string, unknown>) => {
    const before = base.peek()
    const changes = changesBetween(before, given)
    if (Object.keys(changes).length === 0) return toast({ text: 'There is nothing to save: no field was changed' })
    const shown = world.name.peek()
    const after = await api.changeRecord(shown, name, id, changes)
    fill(after)
    toast({
      text: `Saved ${name} ${id}`,
      undo: async () => {
        // Keeps the fields that others have changed since.
        const now = await api.record(shown, name, id)
        const undone = Object.entries(changesBetween(after, before)).filter(([field]) =>
          isSameJson(now[field], after[field]),
        )
        if (undone.length === 0) throw new Error('It was changed again since: there is nothing to undo.')
        await api.changeRecord(shown, name, id, Object.fromEntries(undone))
      },
    })
  }
  if (!schema) return <Skeleton lines={8} />
  return (
    <div>
      {isOld.value && (
        <p class="callout callout-warning row data-old" role="status">
          <span>The record has changed meanwhile. Save writes only your changes.</span>
          <Button onClick={() => fill(record)}>Show the current record</Button>
        </p>
      )}
      <SchemaForm
        key={round.value}
        name={form}
        schema={schema}
        value={base.value}
        action="Save"
        fixed={[collection.id, ...(relations['account'] ? ['account'] : [])]}
        onSubmit={save}
        onDiscard={() => fill(record)}
      />
    </div>
  )
}
