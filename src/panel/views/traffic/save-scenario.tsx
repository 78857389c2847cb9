import { Button, CopyButton, Dialog, downloadText, TextField } from '../../components/index.ts'
import { useDraft } from '../../data/draft.ts'
import type { JournalEntry } from '../../data/shapes.ts'
import { toScenarioFile, toScenarioName } from './scenario-file.ts'

export function SaveScenario({ entry, onClose }: { readonly entry: JournalEntry; readonly onClose: () => void }) {
  const name = useDraft(`save ${entry.id} ${entry.at}`).part('name', toScenarioName(entry))
  const text = toScenarioFile(entry)
  const isName = /^[a-z0-9-]+$/.test(name.value)
  const isCut = entry.omitted?.includes('response.body') || entry.cut?.includes('response.body')
  return (
    <Dialog
      title="Save as scenario"
      width="wide"
      onClose={onClose}
      actions={
        <>
          <CopyButton text={text} what="the scenario">
            Copy
          </CopyButton>
          <Button
            kind="primary"
            icon="download"
            disabled={!isName}
            onClick={() => {
              downloadText(`${name.value}.yaml`, text, 'application/yaml')
              onClose()
            }}
          >
            Download
          </Button>
        </>
      }
    >
      <div class="form">
        <TextField
          title="Name"
          isRequired
          hint="Put the file into the --scenarios folder. With --watch, it loads at once."
          error={isName ? undefined : 'Use only a-z, 0-9 and "-".'}
          of={name}
        />
        {isCut && <p class="muted">The journal has only a part of the body: complete it in the file.</p>}
        <pre class="code">{text}</pre>
      </div>
    </Dialog>
  )
}
