import { useSignal } from '@preact/signals'
import { Button, CopyButton } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { downloadText } from '../../components/files.ts'
import { Tabs } from '../../components/layout.tsx'
import { Loaded } from '../../components/states.tsx'
import { toPlural } from '../../components/words.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { CollectionSummary, FixtureFile } from '../../data/shapes.ts'

const shown = 20_000

export function ExportDialog({ collection: only, onClose }: { collection?: CollectionSummary; onClose: () => void }) {
  const { api, world } = usePanel()
  const name = world.name.value
  const collection = only?.name
  const beside = [...new Set(Object.values(only?.relations ?? {}))]
  const files = useResource(
    () => (collection === undefined ? api.export(name) : api.exportCollection(name, collection)),
    [],
  )
  const chosen = useSignal('')
  const list = files.value.value ?? []
  const hidden = list.reduce((sum, file) => sum + file.hidden, 0)
  return (
    <Dialog
      title={collection === undefined ? `Export the world ${name}` : `Export ${collection}`}
      width="wide"
      onClose={onClose}
      actions={
        list.length > 1 && (
          <Button
            kind="primary"
            icon="download"
            onClick={() => save({ file: `${name}.yaml`, text: list.map(({ text }) => text).join('\n') })}
            text={`Download all as ${name}.yaml`}
          />
        )
      }
    >
      <Loaded resource={files} lines={10}>
        {() => (
          <>
            <p class="data-export-note">
              Put it into a folder and start with <code class="code-inline">--fixtures FOLDER</code>.
              {beside.length > 0 &&
                ` Its records refer to others: put ${beside.map((one) => `${one}.yaml`).join(', ')} beside it.`}
              {hidden > 0 && ` Placeholders replace ${toPlural(hidden, 'secret')}.`}
            </p>
            {list.length === 0 ? (
              <p class="muted">The world has no records.</p>
            ) : list.length === 1 ? (
              <File file={list[0]!} />
            ) : (
              <Tabs
                label="Files"
                chosen={chosen.value}
                onChoose={(id) => (chosen.value = id)}
                tabs={list.map((file) => ({
                  id: file.file,
                  title: file.file,
                  count: file.records,
                  render: () => <File file={file} />,
                }))}
              />
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

function File({ file }: { readonly file: FixtureFile }) {
  const { text } = file
  return (
    <>
      <div class="row data-export-actions">
        <Button icon="download" onClick={() => save(file)} text={`Download ${file.file}`} />
        <CopyButton text={text} what={file.file} label="Copy" />
        <span class="muted">{toPlural(file.records, 'record')}</span>
      </div>
      <pre class="code data-export" tabIndex={0} aria-label={file.file}>
        {text.length > shown ? `${text.slice(0, shown)}\n… ${toPlural(text.length - shown, 'character')} more` : text}
      </pre>
    </>
  )
}

function save({ file, text }: Pick<FixtureFile, 'file' | 'text'>): void {
  downloadText(file, text, 'application/yaml')
}
