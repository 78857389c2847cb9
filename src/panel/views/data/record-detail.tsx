import { keyIn } from '../../../core/text/world-key.ts'
import { toIso } from '../../../core/time/time-text.ts'
import { isSame } from '../../../core/text/values.ts'
import { CallError } from '../../../control/client/errors.ts'
import { EmptyState, Fact, Facts, Loaded } from '../../components/content.tsx'
import { Button, CopyButton, confirmed, showKeyOnce } from '../../components/controls.tsx'
import { SchemaForm } from '../../components/form/schema-form.tsx'
import { Detail, Link } from '../../components/layout.tsx'
import { change, toast } from '../../components/toast.tsx'
import { pretty, toCountText } from '../../components/words.ts'
import {
  patchRecord,
  readRecord,
  readRecords,
  type CollectionSummary,
  type JsonSchema,
  type RecordValue,
} from '../../data/control.ts'
import { type Panel, usePanel, useResource } from '../../data/panel.ts'
import { HolderFacts, type Holders } from './accounts.tsx'
import { blank, readSchema, recordEvents, suggestId, wherePrefix } from './queries.ts'

interface OpenedProps {
  collection: CollectionSummary
  collections: readonly CollectionSummary[]
  onClose: () => void
}

interface RecordProps extends OpenedProps {
  id: string
}

export function RecordDetail({ holders, ...props }: RecordProps & { holders: Holders }) {
  const { id, collection, onClose } = props
  const { control } = usePanel()
  const { name } = collection
  const record = useResource(
    () =>
      readRecord(control, {
        collection: name,
        id,
      }),
    [],
    recordEvents,
  )
  const error = record.error
  const isGone = error instanceof CallError && error.code === 'unknown_record'
  return (
    <Detail
      label={`${name} ${id}`}
      title={[<small>{name}</small>, ' ', <code>{id}</code>]}
      onClose={onClose}
    >
      {isGone ? (
        <EmptyState title="This record does not exist" action="Close" onAction={onClose}>
          {error.message}
        </EmptyState>
      ) : (
        <Loaded resource={record}>
          {(value) => (
            <>
              <RecordActions {...props} record={value} />
              <HolderFacts
                collection={name}
                id={String(value[collection.id])}
                record={value}
                holders={holders}
              />
              <Relations {...props} record={value} />
              <RecordForm {...props} record={value} />
            </>
          )}
        </Loaded>
      )}
    </Detail>
  )
}

function RecordActions({ record, ...props }: ShownRecord) {
  const { id, collection } = props
  const panel = usePanel()
  const { name } = collection
  const duplicate = () =>
    panel.router.go({
      rest: [name],
      params: { new: id },
    })
  return (
    <div class="row actions">
      {name === 'keys' ? (
        <Button
          title="At the time of the world's clock"
          onClick={() => expire(panel, id)}
          text="Expire now"
        />
      ) : (
        <Button icon="copy" onClick={duplicate} text="Duplicate" />
      )}
      <CopyButton text={pretty(record)} what={`${id} as JSON`} label="JSON" />
      <Button kind="danger" icon="trash" onClick={() => removeRecord(panel, props)} text="Delete" />
    </div>
  )
}

async function expire(panel: Panel, id: string) {
  const place = { collection: 'keys', id }
  const body = { expires_at: toIso(panel.world.now.peek() ?? 0) }
  await change(panel, `Expired the key ${id}`, (control) => patchRecord(control, place, body))
}

async function removeRecord(panel: Panel, { id, collection: { name }, onClose }: RecordProps) {
  const place = {
    world: panel.world.name.peek(),
    collection: name,
    id,
  }
  const remove = (text: string, cascade: boolean) =>
    change(panel, text, (control) =>
      control.call('DELETE /worlds/{world}/records/{collection}/{id}', { ...place, cascade }),
    )
  try {
    await remove(`Deleted ${name} ${id}`, false)
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'record_in_use') throw error
    const [why] = error.message.split('. ', 1)
    const text = `${why}. They are deleted too.`
    if (!(await confirmed(`Delete ${name} ${id}?`, text))) return
    await remove(`Deleted ${name} ${id} and what referred to it`, true)
  }
  onClose()
}

type ShownRecord = RecordProps & { record: RecordValue }

function Relations({ id, collection, collections, record }: ShownRecord) {
  const { control } = usePanel()
  const inward = fieldsThatNameIt(collection, collections)
  const read = async ({ name, field }: (typeof inward)[number]) =>
    (
      await readRecords(control, name, {
        [wherePrefix + field]: id,
        limit: 0,
      })
    ).total
  const counts = useResource(() => Promise.all(inward.map(read)), [], recordEvents).value
  const outward = Object.entries(collection.relations).filter(
    ([field]) => typeof record[field] === 'string',
  )
  return (
    <Facts kind="below">
      {outward.map(([field, target]) => (
        <Fact key={field} title={field}>
          <Link
            class="mono"
            to={{ view: 'data', rest: [target, String(record[field])] }}
            text={String(record[field])}
          />
        </Fact>
      ))}
      <Fact
        title="has"
        items={inward.map(({ name, field }, index) =>
          counts?.[index] === 0 ? (
            <small>no {name}</small>
          ) : (
            <Link to={{ view: 'data', rest: [name], params: { [wherePrefix + field]: id } }}>
              {name}
              {counts && ` ${toCountText(counts[index] ?? 0)}`}
            </Link>
          ),
        )}
      />
    </Facts>
  )
}

function fieldsThatNameIt({ name: wanted }: CollectionSummary, all: readonly CollectionSummary[]) {
  return all.flatMap(({ name, relations }) =>
    Object.entries(relations)
      .filter(([, target]) => target === wanted)
      .map(([field]) => ({ name, field })),
  )
}

function RecordForm({ id, collection, collections, record }: ShownRecord) {
  const panel = usePanel()
  const { control } = panel
  const { name, relations } = collection
  const schema = useResource(() => readSchema(control, collection, collections), [])
  const save = async (given: RecordValue, before: RecordValue) => {
    const body = changesBetween(before, given)
    if (Object.keys(body).length === 0)
      return toast('There is nothing to save: no field was changed')
    const place = { collection: name, id }
    return change(panel, `Saved ${name} ${id}`, (control) => patchRecord(control, place, body))
  }
  return (
    <Loaded resource={schema}>
      {(known) => (
        <SchemaForm
          schema={known}
          value={record}
          action="Save"
          fixed={[collection.id, ...(relations['account'] ? ['account'] : [])]}
          onSubmit={save}
        />
      )}
    </Loaded>
  )
}

/** Returns the fields that turn one record into another: `null` deletes a field. */
function changesBetween(before: RecordValue, after: RecordValue): RecordValue {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => !isSame(before[name], after[name]))
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]))
}

export function NewRecord({
  from,
  collection,
  collections,
  onClose,
}: OpenedProps & { from: string }) {
  const panel = usePanel()
  const { control, router } = panel
  const { name } = collection
  const isKey = name === 'keys'
  const readValue = () => {
    if (isKey || from === '') return blank(control, collection, router.route.peek().params)
    return readRecord(control, {
      collection: name,
      id: from,
    })
  }
  const start = useResource(async () => {
    const [schema, value] = await Promise.all([
      readSchema(control, collection, collections),
      readValue(),
    ])
    if (isKey) return startNewKey(schema, value)
    const id = await suggestId(control, collection, value)
    return {
      schema,
      value: {
        ...value,
        [collection.id]: id,
      },
    }
  }, [])
  const add = async (body: RecordValue) => {
    const id = isKey ? await addKey(panel, body) : await addRecord(panel, collection, body)
    router.go(
      {
        rest: [name, id],
        params: { new: undefined },
      },
      true,
    )
  }
  const action = isKey ? 'Generate' : 'Add'
  const title = titleOfNew(name, from)
  return (
    <Detail label={title} title={title} onClose={onClose}>
      <Loaded resource={start}>
        {({ schema, value }) =>
          schema.properties ? (
            <div class="above" ref={focusFirst}>
              <SchemaForm {...{ schema, value, action }} onSubmit={add} onCancel={onClose} />
            </div>
          ) : (
            <EmptyState title="These records can’t be added here" />
          )
        }
      </Loaded>
    </Detail>
  )
}

function titleOfNew(name: string, from: string): string {
  if (name === 'keys') return 'Generate key'
  if (from === '') return `Add to ${name}`
  return `A copy of ${from}`
}

/** Shows the secret, which nobody can read later. Returns the id of the key. */
async function addKey(panel: Panel, body: RecordValue): Promise<string> {
  const world = panel.world.name.peek()
  // The server checks the fields, which may have been typed as JSON.
  const key = body as { account: string }
  const { id, secret } = await change(panel, `Generated a key for ${key.account}`, (control) =>
    control.call('POST /worlds/{world}/keys', { ...key, world }),
  )
  await showKeyOnce('The new key', keyIn(world, secret))
  return id
}

/** Returns the id of the record. */
async function addRecord(panel: Panel, { name, id }: CollectionSummary, body: RecordValue) {
  const place = { collection: name }
  const text = `Added ${name} ${String(body[id])}`
  const made = (await change(panel, text, (control) =>
    control.call('POST /worlds/{world}/records/{collection}', place, { body }),
  )) as RecordValue
  return String(made[id])
}

function focusFirst(form: HTMLElement | null) {
  form?.querySelector<HTMLElement>('input, select')?.focus()
}

/** Returns the form of a new key: the server decides its secret. */
function startNewKey(schema: JsonSchema, value: RecordValue) {
  const { secret: _, revoked: __, ...properties } = schema.properties ?? {}
  const account = properties['account']?.enum?.[0]
  return {
    schema: { ...schema, properties },
    value: { account, ...value },
  }
}
