import { Button, CopyButton, Detail, EmptyState, Loaded, pretty } from '../../components/index.ts'
import { ApiFailure } from '../../data/failure.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import { Editor, type EditorProps } from './editor.tsx'
import { recordEvents } from './events.ts'
import { Relations } from './relations.tsx'
import { removeRecord } from './remove.ts'

interface RecordDetailProps extends Omit<EditorProps, 'record'> {
  readonly onClose: () => void
}

export function RecordDetail({ id, collection, collections, onClose }: RecordDetailProps) {
  const panel = usePanel()
  const { api, router, world } = panel
  const { name } = collection
  const record = useResource(() => api.record(world.name.value, name, id), [], { reloadOn: recordEvents })
  const error = record.error.value
  const isGone = error instanceof ApiFailure && error.code === 'unknown_record'
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
          <Button onClick={onClose}>Close</Button>
        </EmptyState>
      ) : (
        <Loaded resource={record} lines={10}>
          {() => (
            <>
              <div class="row data-actions">
                <Button icon="copy" onClick={duplicate}>
                  Duplicate
                </Button>
                <CopyButton text={() => pretty(value)} what={`${id} as JSON`}>
                  JSON
                </CopyButton>
                <Button
                  kind="danger"
                  icon="trash"
                  onClick={() => removeRecord(panel, collections, collection, value!, onClose)}
                >
                  Delete
                </Button>
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
