import { DialogForm, TextField, toast } from '../../components/index.ts'
import { useDraft } from '../../data/draft.ts'
import { usePanel } from '../../data/panel.ts'
import type { JournalEntry } from '../../data/shapes.ts'
import { sendFromDocs } from '../docs/send.ts'
import { withoutKey, type CodeRequest } from './code.ts'

interface EditRequestProps {
  readonly entry: JournalEntry
  readonly request: CodeRequest
  readonly onClose: () => void
}

export function EditRequest({ entry, request, onClose }: EditRequestProps) {
  const panel = usePanel()
  const draft = useDraft(`edit ${entry.id} ${entry.at}`)
  const method = draft.part('method', request.method)
  const path = draft.part('path', request.url)
  const headers = draft.part('headers', request.headers.map((pair) => pair.join(': ')).join('\n'))
  const body = draft.part('body', request.body ?? '')
  const submit = async () => {
    const { status, entry: made } = await sendFromDocs(panel, {
      method: method.peek().trim(),
      path: toPath(path.peek().trim()),
      headers: toHeaders(headers.peek()),
      body: body.peek() === '' ? undefined : body.peek(),
    })
    draft.forget()
    onClose()
    toast({ text: `Sent: ${status === 0 ? 'the connection ended without a reply' : status}` })
    if (made !== undefined) panel.router.go({ rest: [String(made)] })
  }
  return (
    <DialogForm
      title="Edit and send again"
      width="wide"
      action="Send"
      icon="play"
      onSubmit={submit}
      draft={draft}
      onClose={onClose}
    >
      <TextField title="Method" isRequired kind="mono" of={method} />
      <TextField title="Path" isRequired hint="With its query, from the root of the server." kind="mono" of={path} />
      <TextField title="Headers" hint="One per line. The browser adds its own." kind="mono" rows={4} of={headers} />
      <TextField
        title="Body"
        hint="Sent exactly as you write it, even if it is invalid."
        kind="mono"
        rows={8}
        of={body}
      />
    </DialogForm>
  )
}

function toPath(text: string): string {
  if (/^\/(?!\/)/.test(text)) return text
  throw new Error('Write a path such as /plants?limit=3.')
}

function toHeaders(text: string): (readonly [string, string])[] {
  if (text.includes(withoutKey)) throw new Error(`The journal keeps no keys: replace ${withoutKey} with yours.`)
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, value] = /^\s*([^:\s]+)\s*:(.*)$/.exec(line) ?? []
      if (name === undefined) throw new Error(`Write “${line.trim()}” as “name: value”.`)
      return [name, value!.trim()]
    })
}
