import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { toTimestamp } from '../../../core/time/time-text.ts'
import { Fact, Facts } from '../../components/content.tsx'
import { Button, CopyButton } from '../../components/controls.tsx'
import { confirmed } from '../../components/dialog.tsx'
import { toFields } from '../../components/form/draft.ts'
import { type FilledForm, SchemaForm } from '../../components/form/schema-form.tsx'
import { Detail, Link } from '../../components/layout.tsx'
import { EmptyState, Loaded, Skeleton } from '../../components/states.tsx'
import { toast } from '../../components/toast.tsx'
import { toCountText } from '../../components/words.ts'
import { patchRecord, placeOf, readRecord, readRecords } from '../../data/control.ts'
import { useDraft } from '../../data/form.ts'
import { isSameJson, pretty } from '../../data/json.ts'
import { type Panel, usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { CollectionSummary, RecordValue } from '../../data/shapes.ts'
import type { ControlApi } from '../../../control/client/control-api.ts'
import { CallError } from '../../../control/client/errors.ts'
import { copyId, recordEvents, suggestId, useKnownIds, wherePrefix } from './queries.ts'

interface RecordDetailProps extends Omit<EditorProps, 'record'> {
  readonly onClose: () => void
}

export function RecordDetail({ id, collection, collections, onClose }: RecordDetailProps) {
  const panel = usePanel()
  const { control, router } = panel
  const { name } = collection
  const record = useResource(() => readRecord(control, { collection: name, id }), [], recordEvents)
  const error = record.error.value
  const isGone = error instanceof CallError && error.code === 'unknown_record'
  const value = record.value.value
  const duplicate = () => router.go({ rest: [name], params: { new: id } })
  return (
    <Detail
      label={`${name} ${id}`}
      title={
        <>
          <span class="muted">{name}</span> <span class="mono">{id}</span>
        </>
      }
      onClose={onClose}
    >
      {isGone ? (
        <EmptyState title="This record does not exist">
          <p>{error.message}</p>
          <Button onClick={onClose} text="Close" />
        </EmptyState>
      ) : (
        <Loaded resource={record} lines={10}>
          {() => (
            <>
              <div class="row data-actions">
                <Button icon="copy" onClick={duplicate} text="Duplicate" />
                <CopyButton text={() => pretty(value)} what={`${id} as JSON`} label="JSON" />
                <Button
                  kind="danger"
                  icon="trash"
                  onClick={() => removeRecord(panel, collections, collection, value!, onClose)}
                  text="Delete"
                />
              </div>
              <Relations id={id} collection={collection} collections={collections} record={value!} />
              <Editor id={id} collection={collection} collections={collections} record={value!} />
            </>
          )}
        </Loaded>
      )}
    </Detail>
  )
}

function Relations({ id, collection, collections, record }: EditorProps) {
  const { control } = usePanel()
  const inward = collections.flatMap((other) =>
    Object.entries(other.relations)
      .filter(([, target]) => target === collection.name)
      .map(([field]) => ({ other, field })),
  )
  const counts = useResource(
    () =>
      Promise.all(
        inward.map(async ({ other, field }) => {
          const { total = 0 } = await readRecords(
            control,
            { collection: other.name },
            { where: { [field]: id }, limit: 0 },
          )
          return total
        }),
      ),
    [],
    recordEvents,
  ).value.value
  const outward = Object.entries(collection.relations).filter(([field]) => typeof record[field] === 'string')
  if (outward.length + inward.length === 0) return null
  return (
    <Facts kind="data-relations">
      {outward.length > 0 && (
        <Fact title="Belongs to">
          <span class="inline-list">
            {outward.map(([field, target]) => (
              <span key={field}>
                <span class="muted">{field} </span>
                <Link class="mono" to={{ view: 'data', rest: [target, record[field] as string] }}>
                  {record[field] as string}
                </Link>
              </span>
            ))}
          </span>
        </Fact>
      )}
      {inward.length > 0 && (
        <Fact title="Has">
          <span class="inline-list">
            {inward.map(({ other, field }, index) => (
              <span key={`${other.name} ${field}`}>
                {counts?.[index] === 0 ? (
                  <span class="muted">no {other.name}</span>
                ) : (
                  <Link to={{ view: 'data', rest: [other.name], params: { [wherePrefix + field]: id } }}>
                    {other.name}
                    {counts && ` ${toCountText(counts[index]!)}`}
                  </Link>
                )}
              </span>
            ))}
          </span>
        </Fact>
      )}
    </Facts>
  )
}

interface EditorProps {
  readonly id: string
  readonly collection: CollectionSummary
  readonly collections: readonly CollectionSummary[]
  readonly record: RecordValue
}

function Editor({ id, collection, collections, record }: EditorProps) {
  const { control, world } = usePanel()
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
    const path = { world: world.name.peek(), collection: name, id }
    const after = await patchRecord(control, path, changes)
    fill(after)
    toast({
      text: `Saved ${name} ${id}`,
      undo: async () => {
        // Keeps the fields that others have changed since.
        const now = await readRecord(control, path)
        const undone = Object.entries(changesBetween(after, before)).filter(([field]) =>
          isSameJson(now[field], after[field]),
        )
        if (undone.length === 0) throw new Error('It was changed again since: there is nothing to undo.')
        await patchRecord(control, path, Object.fromEntries(undone))
      },
    })
  }
  if (!schema) return <Skeleton lines={8} />
  return (
    <div>
      {isOld.value && (
        <p class="callout callout-warning row data-old" role="status">
          <span>The record has changed meanwhile. Save writes only your changes.</span>
          <Button onClick={() => fill(record)} text="Show the current record" />
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

/** Returns the fields that turn one record into another: `null` deletes a field. */
function changesBetween(before: RecordValue, after: RecordValue): Record<string, unknown> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return Object.fromEntries(
    [...names].filter((name) => !isSameJson(before[name], after[name])).map((name) => [name, after[name] ?? null]),
  )
}

const maxRestored = 500

interface Placed {
  readonly collection: CollectionSummary
  readonly record: RecordValue
  readonly place: number | undefined
}

/**
 * Deletes a record, and offers to undo it. Asks first if records that refer to it are deleted too, or if there is no
 * undo, because the panel does not know the record's secret. @param onDone called after the deletion
 */
async function removeRecord(
  { control, world }: Panel,
  collections: readonly CollectionSummary[],
  collection: CollectionSummary,
  record: RecordValue,
  onDone: () => void,
): Promise<void> {
  const name = world.name.peek()
  const id = String(record[collection.id])
  const title = `${collection.name} ${id}`
  const place = await placeOf(control, name, collection, id)
  const path = { world: name, collection: collection.name, id }
  const remove = (cascade: boolean) =>
    control.call('DELETE /worlds/{world}/records/{collection}/{id}', { path, query: { cascade } })
  let gone: readonly Placed[] | undefined = collection.has_secrets ? undefined : [{ collection, record, place }]
  const ask = (text: string) => confirmed({ title: `Delete ${title}?`, text, action: 'Delete' })
  if (!gone && !(await ask('You can’t undo this: the record has a secret that the panel does not know.'))) return
  try {
    await remove(false)
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'record_in_use') throw error
    gone = gone && (await readDependents(control, name, collections, gone[0]!))
    const after = gone ? 'Undo restores them all.' : 'You can’t undo this.'
    if (!(await ask(`${toFacts(error.message)} They are deleted too. ${after}`))) return
    await remove(true)
  }
  onDone()
  const family = gone
  toast({
    text: family && family.length > 1 ? `Deleted ${title} and ${family.length - 1} more` : `Deleted ${title}`,
    ...(family && {
      undo: async () => {
        for (const { collection, record: body, place } of family) {
          const path = { world: name, collection: collection.name }
          await control.call('POST /worlds/{world}/records/{collection}', { path, query: { place }, body })
        }
      },
    }),
  })
}

function toFacts(message: string): string {
  return message.split('. ', 1)[0]!.replace(/\.?$/, '.')
}

/** Returns a record and all that refer to it, in an order in which they can be created again; `undefined` if they can't. */
async function readDependents(
  control: ControlApi,
  world: string,
  collections: readonly CollectionSummary[],
  first: Placed,
): Promise<readonly Placed[] | undefined> {
  const found = new Map<string, Placed>()
  const waiting = [first]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { collection, record } = next
    const id = String(record[collection.id])
    const place = `${collection.name} ${id}`
    if (found.has(place)) continue
    if (collection.has_secrets || found.size >= maxRestored) return undefined
    found.set(place, next)
    for (const other of collections)
      for (const [field, target] of Object.entries(other.relations)) {
        if (target !== collection.name) continue
        const { data, total, places } = await readRecords(
          control,
          { world, collection: other.name },
          {
            where: { [field]: id },
            limit: maxRestored,
            places: true,
          },
        )
        if ((total ?? 0) > maxRestored) return undefined
        waiting.push(...data.map((one, index) => ({ collection: other, record: one, place: places?.[index] })))
      }
  }
  // The list of collections has each collection after those that it refers to.
  const collectionIndex = ({ collection }: Placed) => collections.indexOf(collection)
  return [...found.values()].sort((one, other) => collectionIndex(one) - collectionIndex(other))
}

interface NewRecordProps {
  readonly collection: CollectionSummary
  readonly collections: readonly CollectionSummary[]
  readonly from: string | undefined
  readonly onClose: () => void
}

export function NewRecord({ collection, collections, from, onClose }: NewRecordProps) {
  const panel = usePanel()
  const { control, router, world } = panel
  const { name, id: idField } = collection
  const start = useResource(() => (from === undefined ? blank(panel, collection) : copy(panel, collection, from)), [])
  const schema = useKnownIds(collection, collections, start.value.value)
  const add = async (given: Record<string, unknown>) => {
    const shown = world.name.peek()
    const path = { world: shown, collection: name }
    const made = await control.call('POST /worlds/{world}/records/{collection}', { path, body: given })
    const id = String((made as RecordValue)[idField])
    router.go({ rest: [name, id], params: { new: undefined } }, true)
    toast({
      text: `Added ${name} ${id}`,
      undo: async () => {
        await control.call('DELETE /worlds/{world}/records/{collection}/{id}', { path: { ...path, id } })
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

async function blank({ control, router }: Panel, collection: CollectionSummary): Promise<RecordValue> {
  const { params } = router.route.peek()
  const value: Record<string, unknown> = {}
  for (const field of toFields(collection.schema)) {
    const filtered = params[wherePrefix + field.name]
    if (collection.relations[field.name] && filtered !== undefined) value[field.name] = filtered
    else if (!field.isRequired || field.isNullable) continue
    else if (field.kind === 'stored-time')
      value[field.name] = Math.floor(toTimestamp((await control.call('GET /worlds/{world}/clock')).now))
    else if (field.kind === 'boolean') value[field.name] = false
    else if (field.kind === 'choice') value[field.name] = field.values[0]
  }
  const id = await suggestId(control, collection)
  return id === undefined ? value : { ...value, [collection.id]: id }
}

async function copy({ control }: Panel, collection: CollectionSummary, from: string): Promise<RecordValue> {
  const [record, suggested] = await Promise.all([
    readRecord(control, { collection: collection.name, id: from }),
    suggestId(control, collection),
  ])
  const { id } = collection
  const isText = suggested === undefined && typeof record[id] === 'string' && !collection.relations[id]
  return { ...record, [id]: isText ? await copyId(control, record, collection) : suggested }
}
