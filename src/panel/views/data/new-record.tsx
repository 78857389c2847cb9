import { toTimestamp } from '../../../core/time/time-text.ts'
import { Detail, EmptyState, Loaded, SchemaForm, Skeleton, toast } from '../../components/index.ts'
import { toFields } from '../../components/form/kind.ts'
import { usePanel, type Panel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { CollectionSummary, RecordValue } from '../../data/shapes.ts'
import { useKnownIds } from './known-ids.ts'
import { copyId, suggestId } from './new-id.ts'
import { wherePrefix } from './query.ts'

interface NewRecordProps {
  readonly collection: CollectionSummary
  readonly collections: readonly CollectionSummary[]
  readonly from: string | undefined
  readonly onClose: () => void
}

export function NewRecord({ collection, collections, from, onClose }: NewRecordProps) {
  const panel = usePanel()
  const { api, router, world } = panel
  const { name, id: idField } = collection
  const start = useResource(() => (from === undefined ? blank(panel, collection) : copy(panel, collection, from)), [])
  const schema = useKnownIds(collection, collections, start.value.value)
  const add = async (given: Record<string, unknown>) => {
    const shown = world.name.peek()
    const made = await api.createRecord(shown, name, given)
    const id = String(made[idField])
    router.go({ rest: [name, id], params: { new: undefined } }, true)
    toast({
      text: `Added ${name} ${id}`,
      undo: async () => {
        await api.deleteRecord(shown, name, id)
        const { rest } = router.route.peek()
        if (router.world.peek() === shown && rest[0] === name && rest[1] === id) onClose()
      },
    })
  }
  const title = from === undefined ? `Add to ${name}` : `A copy of ${from}`
  return (
    <Detail label={title} title={title} onClose={onClose}>
      {collection.schema.properties === undefined ? (
        <EmptyState title="These records can’t be added here" />
      ) : (
        <Loaded resource={start} lines={10}>
          {(value) =>
            schema ? (
              <SchemaForm
                name={`new ${name} ${from ?? ''}`}
                schema={schema}
                value={value}
                action="Add"
                onSubmit={add}
                onCancel={onClose}
              />
            ) : (
              <Skeleton lines={10} />
            )
          }
        </Loaded>
      )}
    </Detail>
  )
}

async function blank({ api, router, world }: Panel, collection: CollectionSummary): Promise<RecordValue> {
  const { params } = router.route.peek()
  const value: Record<string, unknown> = {}
  for (const field of toFields(collection.schema)) {
    const filtered = params[wherePrefix + field.name]
    if (collection.relations[field.name] && filtered !== undefined) value[field.name] = filtered
    else if (!field.isRequired || field.isNullable) continue
    else if (field.kind === 'stored-time')
      value[field.name] = Math.floor(toTimestamp((await api.clock(world.name.peek())).now))
    else if (field.kind === 'boolean') value[field.name] = false
    else if (field.kind === 'choice') value[field.name] = field.values[0]
  }
  const id = await suggestId(api, world.name.peek(), collection)
  return id === undefined ? value : { ...value, [collection.id]: id }
}

async function copy({ api, world }: Panel, collection: CollectionSummary, from: string): Promise<RecordValue> {
  const name = world.name.peek()
  const [record, suggested] = await Promise.all([
    api.record(name, collection.name, from),
    suggestId(api, name, collection),
  ])
  const { id } = collection
  const isText = suggested === undefined && typeof record[id] === 'string' && !collection.relations[id]
  return { ...record, [id]: isText ? await copyId(api, name, record, collection) : suggested }
}
