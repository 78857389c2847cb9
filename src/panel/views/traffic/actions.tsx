import { useSignal } from '@preact/signals'
import { toLiteral } from '../../../core/text/messages.ts'
import { Button, CopyButton } from '../../components/controls.tsx'
import { copyWithToast, downloadText } from '../../components/files.ts'
import { DialogForm, TextField } from '../../components/form/field.tsx'
import { useActions } from '../../components/keys.ts'
import { Menu } from '../../components/menu.tsx'
import { toast } from '../../components/toast.tsx'
import { useDraft } from '../../data/form.ts'
import { parseAnswer, pretty } from '../../data/json.ts'
import { type Panel, usePanel } from '../../data/panel.ts'
import type { InlineChoice, JournalEntry } from '../../data/shapes.ts'
import { switchOn } from '../../frame/switch.ts'

const forms = [
  ['curl', 'curl'],
  ['fetch', 'fetch'],
  ['HTTPie', 'httpie'],
  ['a test for Vitest', 'vitest'],
  ['a test for Jest', 'jest'],
  ['a test for Playwright', 'playwright'],
  ['a test for node:test', 'node'],
] as const

/** What can be done with an entry. */
export function Actions({ entry }: { readonly entry: JournalEntry }) {
  const panel = usePanel()
  const { control, router } = panel
  const isAnswering = useSignal(false)
  const newScenario = useDraft('new scenario')
  const { id, operation } = entry
  const answer = () => void (isAnswering.value = true)
  const edit = () => router.setParam('compose', String(id))
  const toCode = async (as: (typeof forms)[number][1] | 'scenario') => {
    const path = { world: entry.world, id: String(id) }
    const { text, notes } = await control.call('GET /worlds/{world}/journal/{id}/code', { path, query: { as } })
    for (const note of notes) toast({ text: note })
    return text
  }
  const copy = async (title: string, as: (typeof forms)[number][1]) =>
    copyWithToast(await toCode(as), `the request as ${title}`)
  const saveScenario = async () => {
    const text = await toCode('scenario')
    const { scenario: data } = await control.call('POST /scenarios/check', { body: { text } })
    for (const [part, value] of Object.entries({ name: toScenarioName(entry), text, data }))
      newScenario.part<unknown>(part, undefined).value = value
    router.go({ view: 'scenarios', params: { new: '*' } })
  }
  const sendAgain = async () => {
    const { id: made, response } = await control.call('POST /worlds/{world}/journal/{id}/replay', {
      path: { id: String(id) },
    })
    toast({ text: `Sent again: ${response.status === 0 ? 'the connection ended without a reply' : response.status}` })
    router.go({ rest: [String(made)] })
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
              run: answer,
            },
          ]),
      { id: 'traffic:edit', title: 'Edit the request and send it again', keywords: 'change try', run: edit },
      { id: 'traffic:again', title: 'Send the request again', keywords: 'repeat replay', run: sendAgain },
    ],
    [entry],
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
        <span>Copy as</span>
      </Menu>
      <Button title="The same request, with its real key" onClick={sendAgain} text="Send again" />
      <Button title="Edit it and send it again" onClick={edit} text="Edit" />
      {operation && <Button title="Choose what its next calls get" onClick={answer} text="Answer next …" />}
      <Menu
        label="Save the request"
        items={[
          {
            title: 'Save as scenario…',
            icon: 'download',
            disabled: entry.pending === true,
            run: saveScenario,
          },
          { title: 'Save as a case, up to here', icon: 'download', run: () => saveCase(panel, entry.id) },
        ]}
      />
      {isAnswering.value && operation && (
        <AnswerNext operation={operation} onClose={() => (isAnswering.value = false)} />
      )}
    </div>
  )
}

/** Downloads the world with what happened in it, up to an entry. */
export async function saveCase({ control, world }: Panel, until?: number): Promise<void> {
  const found = await control.call('GET /worlds/{world}/case', { query: { until } })
  downloadText(`${world.name.peek()}.case.json`, pretty(found), 'application/json')
}

function toScenarioName({ operation = 'reply', response: { status }, aborted, bytes }: JournalEntry): string {
  return `${operation.replaceAll(/[^a-z0-9]+/g, '-')}-${status === 0 || (aborted && !bytes) ? 'cut' : status}`
}

function AnswerNext({ operation, onClose }: { readonly operation: string; readonly onClose: () => void }) {
  const panel = usePanel()
  const draft = useDraft(`answer ${operation}`)
  const [times, status, body] = [draft.part('times', '1'), draft.part('status', '500'), draft.part('body', '')]
  const hasTimes = /^[1-9]\d{0,5}$/.test(times.value)
  const hasStatus = /^[2-5]\d\d$/.test(status.value)
  const parsed = parse(body.value)
  const isReady = hasTimes && hasStatus && !('error' in parsed)
  const choice: InlineChoice = {
    title: `answer ${operation}`,
    respond: [{ on: operation, status: Number(status.value), ...parsed, times: Number(times.value) }],
  }
  const code = isReady ? `world.use(${toLiteral(choice)})` : ''
  return (
    <DialogForm
      title={`Next calls to ${operation}`}
      width="wide"
      action="Answer them"
      icon="play"
      disabled={!isReady}
      draft={draft}
      onSubmit={async () => {
        await switchOn(panel, choice)
        draft.forget()
        onClose()
      }}
      onClose={onClose}
      foot={<CopyButton text={code} what="the code" label="Copy code" />}
    >
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
    </DialogForm>
  )
}

function parse(text: string): { readonly body?: unknown } | { readonly error: string } {
  if (text.trim() === '') return {}
  try {
    return { body: parseAnswer(text) }
  } catch {
    return { error: 'Expected JSON.' }
  }
}
