import { useSignal } from '@preact/signals'
import type { CodeRequest } from '../../../core/text/code.ts'
import { toLiteral } from '../../../core/text/messages.ts'
import { Button, CopyButton } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { copyWithToast, downloadText } from '../../components/files.ts'
import { DialogForm, TextField } from '../../components/form/field.tsx'
import { useActions } from '../../components/keys.ts'
import { Icon } from '../../components/marks.tsx'
import { Menu } from '../../components/menu.tsx'
import { toast } from '../../components/toast.tsx'
import { useDraft } from '../../data/form.ts'
import { parseAnswer } from '../../data/json.ts'
import { usePanel } from '../../data/panel.ts'
import type { InlineChoice, JournalEntry } from '../../data/shapes.ts'
import { switchOn } from '../../frame/switch.ts'
import { sendFromDocs, toCodeRequest, toScenarioFile, toScenarioName, withoutKey } from './code.ts'
import { harEntries, keyOf, readKeyNames, saveCase, toggleHarEntry } from './log.ts'

const forms = [
  ['curl', 'curl'],
  ['fetch', 'fetch'],
  ['HTTPie', 'httpie'],
  ['a test for Vitest', 'vitest'],
  ['a test for Jest', 'jest'],
  ['a test for Playwright', 'playwright'],
  ['a test for node:test', 'node'],
] as const

export interface ActionsProps {
  readonly entry: JournalEntry
  readonly keyName: string | undefined
}

export function Actions({ entry, keyName }: ActionsProps) {
  const { control, router } = usePanel()
  const isSaving = useSignal(false)
  const isAnswering = useSignal(false)
  const edited = useSignal<CodeRequest | undefined>(undefined)
  const { operation } = entry
  const isChosen = harEntries.value.has(entry.id)
  const read = async (what: string, toUrl: (path: string) => string) => {
    const lost = [...(entry.omitted ?? []), ...(entry.cut ?? [])].filter((part) => part.startsWith('request.'))
    if (lost.length > 0) throw new Error(`The journal did not keep the whole request: ${what} would be another one.`)
    return toCodeRequest(entry, toUrl, keyName ?? keyOf(entry, await readKeyNames(control)))
  }
  const copy = async (title: string, as: (typeof forms)[number][1]) => {
    const { text, notes } = await control.call('GET /worlds/{world}/journal/{id}/code', {
      path: { world: entry.world, id: String(entry.id) },
      query: { as },
    })
    await copyWithToast(text, `the request as ${title}`)
    for (const note of notes) toast({ text: note })
  }
  const edit = async () => void (edited.value = await read('what you edit', (path) => path))
  const sendAgain = async () => {
    const { id, response } = await control.call('POST /worlds/{world}/journal/{id}/replay', {
      path: { id: String(entry.id) },
    })
    toast({ text: `Sent again: ${response.status === 0 ? 'the connection ended without a reply' : response.status}` })
    router.go({ rest: [String(id)] })
  }
  useActions(
    [
      ...forms.map(([title, as]) => ({
        id: `traffic:copy:${title}`,
        title: `Copy the request as ${title}`,
        keywords: 'code clipboard',
        run: () => copy(title, as),
      })),
      ...(operation === undefined
        ? []
        : [
            {
              id: 'traffic:answer',
              title: `Answer the next calls to ${operation}`,
              keywords: 'stub fail once twice respond mock',
              run: () => void (isAnswering.value = true),
            },
          ]),
      { id: 'traffic:edit', title: 'Edit the request and send it again', keywords: 'change try', run: edit },
      { id: 'traffic:again', title: 'Send the request again', keywords: 'repeat replay', run: sendAgain },
    ],
    [entry, keyName],
  )
  return (
    <div class="row actions">
      <Menu
        label="Copy the request as code"
        items={forms.map(([title, as]) => ({
          title: `Copy as ${title}`,
          icon: 'copy',
          run: () => copy(title, as),
        }))}
      >
        <Icon name="copy" />
        <span>Copy as</span>
      </Menu>
      <Button icon="redo" onClick={sendAgain} text="Send again" />
      <Button onClick={edit} text="Edit and send again" />
      <Button
        icon="download"
        disabled={entry.pending}
        title="A scenario file that repeats this reply"
        onClick={() => void (isSaving.value = true)}
        text="Save as scenario"
      />
      <Button
        icon="download"
        title="One file with everything up to this request: greenhouse-mock case replay"
        onClick={() => saveCase(control, entry.world, entry.id)}
        text="Save as a case"
      />
      <Button
        icon="plus"
        pressed={isChosen}
        onClick={() => toggleHarEntry(entry.id)}
        text={isChosen ? 'In the HAR' : 'Add to HAR'}
      />
      {operation && (
        <Button
          icon="play"
          title="Choose what its next calls get"
          onClick={() => void (isAnswering.value = true)}
          text="Answer next …"
        />
      )}
      {edited.value && <EditRequest entry={entry} request={edited.value} onClose={() => (edited.value = undefined)} />}
      {isAnswering.value && operation && (
        <AnswerNext operation={operation} onClose={() => (isAnswering.value = false)} />
      )}
      {isSaving.value && <SaveScenario entry={entry} onClose={() => (isSaving.value = false)} />}
    </div>
  )
}

function SaveScenario({ entry, onClose }: { readonly entry: JournalEntry; readonly onClose: () => void }) {
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
          <CopyButton text={text} what="the scenario" label="Copy" />
          <Button
            kind="primary"
            icon="download"
            disabled={!isName}
            onClick={() => {
              downloadText(`${name.value}.yaml`, text, 'application/yaml')
              onClose()
            }}
            text="Download"
          />
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

function EditRequest({ entry, request, onClose }: { entry: JournalEntry; request: CodeRequest; onClose: () => void }) {
  const panel = usePanel()
  const draft = useDraft(`edit ${entry.id} ${entry.at}`)
  const method = draft.part('method', request.method)
  const path = draft.part('path', request.url)
  const headers = draft.part('headers', request.headers.map((pair) => pair.join(': ')).join('\n'))
  const body = draft.part('body', request.body ?? '')
  const submit = async () => {
    const { status, entry: made } = await sendFromDocs(panel, {
      method: method.peek().trim(),
      url: toPath(path.peek().trim()),
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

function AnswerNext({ operation, onClose }: { readonly operation: string; readonly onClose: () => void }) {
  const panel = usePanel()
  const draft = useDraft(`answer ${operation}`)
  const [times, status, body] = [draft.part('times', '1'), draft.part('status', '500'), draft.part('body', '')]
  const hasTimes = /^[1-9]\d{0,5}$/.test(times.value)
  const hasStatus = /^[2-5]\d\d$/.test(status.value)
  const parsed = parse(body.value)
  const isReady = hasTimes && hasStatus && !('error' in parsed)
  const choice = {
    title: `answer ${operation}`,
    respond: [
      {
        on: operation,
        status: Number(status.value),
        ...('value' in parsed && { body: parsed.value }),
        times: Number(times.value),
      },
    ],
  } as InlineChoice
  const code = isReady ? `world.use(${toLiteral(choice)})` : ''
  return (
    <Dialog
      title={`Next calls to ${operation}`}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <CopyButton text={code} what="the code" label="Copy code" />
          <Button
            kind="primary"
            icon="play"
            disabled={!isReady}
            onClick={async () => {
              await switchOn(panel, choice)
              draft.forget()
              onClose()
            }}
            text="Answer them"
          />
        </>
      }
    >
      <div class="form">
        <TextField
          title="Calls"
          isRequired
          error={hasTimes ? undefined : 'Expected a whole number from 1.'}
          inputMode="numeric"
          of={times}
        />
        <TextField
          title="Status"
          isRequired
          error={hasStatus ? undefined : 'Expected a status from 200 to 599.'}
          inputMode="numeric"
          of={status}
        />
        <TextField
          title="Body"
          hint="JSON. Without it the reply has no body."
          error={'error' in parsed ? parsed.error : undefined}
          rows={4}
          of={body}
        />
        {isReady && <pre class="code">{code}</pre>}
      </div>
    </Dialog>
  )
}

function parse(text: string): { readonly value?: unknown } | { readonly error: string } {
  if (text.trim() === '') return {}
  try {
    return { value: parseAnswer(text) }
  } catch {
    return { error: 'Expected JSON.' }
  }
}
