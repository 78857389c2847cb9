import { useSignal } from '@preact/signals'
import { toClientUrl } from '../../../core/http/urls.ts'
import { type CodeRequest, languages, runners } from '../../../core/text/code.ts'
import { toLiteral } from '../../../core/text/messages.ts'
import { Button, CopyButton } from '../../components/controls.tsx'
import { copyWithToast, downloadText } from '../../components/files.ts'
import { DialogForm, TextField } from '../../components/form/field.tsx'
import { useActions } from '../../components/keys.ts'
import { Menu } from '../../components/menu.tsx'
import { toast } from '../../components/toast.tsx'
import type { ControlApi } from '../../../control/client/control-api.ts'
import { useDraft } from '../../data/form.ts'
import { parseAnswer, pretty } from '../../data/json.ts'
import { type Panel, usePanel } from '../../data/panel.ts'
import type { InlineChoice, JournalEntry } from '../../data/shapes.ts'
import { switchOn } from '../../frame/switch.ts'
import { type TestStart, toCodeRequest, toTest, withoutKey } from './code.ts'
import { keyOf, readKeyNames } from './log.ts'
import { toScenarioFile, toScenarioName } from './scenario-file.ts'

type ToText = (request: CodeRequest, entry: JournalEntry, control: ControlApi) => string | Promise<string>

const forms: readonly (readonly [title: string, toText: ToText])[] = [
  ...Object.entries(languages),
  ...Object.values(runners).map((runner): [string, ToText] => [
    `a test for ${runner.title}`,
    async (request, entry, control) => toTest(runner, entry, request, await readStart(entry, control)),
  ]),
]

async function readStart({ world, at }: JournalEntry, control: ControlApi): Promise<TestStart> {
  const path = { world }
  const [{ seed }, { active: scenarios }] = await Promise.all([
    control.call('GET /worlds/{world}', { path }),
    control.call('GET /worlds/{world}/scenarios', { path }),
  ])
  return { seed, now: at, scenarios }
}

async function copy({ control }: Panel, entry: JournalEntry, title: string, toText: ToText): Promise<void> {
  const lost = [...(entry.omitted ?? []), ...(entry.cut ?? [])].filter((part) => part.startsWith('request.'))
  if (lost.length > 0)
    throw new Error(`The journal did not keep the whole request: a copy as ${title} would be another one.`)
  const { plants_url: plants, apps_url: apps } = await control.call('GET /start')
  const request = toCodeRequest(entry, toClientUrl({ plants, apps }), keyOf(entry, await readKeyNames(control)))
  await copyWithToast(await toText(request, entry, control), `the request as ${title}`)
  if (request.headers.some(([, value]) => value.includes(withoutKey)))
    toast({ text: `The journal keeps no keys: replace ${withoutKey} with yours.` })
}

/** What can be done with an entry. */
export function Actions({ entry }: { readonly entry: JournalEntry }) {
  const panel = usePanel()
  const { control, router } = panel
  const isSaving = useSignal(false)
  const isAnswering = useSignal(false)
  const { id, operation } = entry
  const edit = () => router.setParam('compose', String(id))
  const answer = () => void (isAnswering.value = true)
  const sendAgain = async () => {
    const { id: made, response } = await control.call('POST /worlds/{world}/journal/{id}/replay', {
      path: { id: String(id) },
    })
    toast({ text: `Sent again: ${response.status === 0 ? 'the connection ended without a reply' : response.status}` })
    router.go({ rest: [String(made)] })
  }
  useActions(
    [
      ...forms.map(([title, toText]) => ({
        id: `traffic:copy:${title}`,
        title: `Copy the request as ${title}`,
        keywords: 'code clipboard',
        run: () => copy(panel, entry, title, toText),
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
        items={forms.map(([title, toText]) => ({
          title: `Copy as ${title}`,
          icon: 'copy',
          run: () => copy(panel, entry, title, toText),
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
            run: () => void (isSaving.value = true),
          },
          { title: 'Save as a case, up to here', icon: 'download', run: () => saveCase(panel, entry.id) },
        ]}
      />
      {isAnswering.value && operation && (
        <AnswerNext operation={operation} onClose={() => (isAnswering.value = false)} />
      )}
      {isSaving.value && <SaveScenario entry={entry} onClose={() => (isSaving.value = false)} />}
    </div>
  )
}

/** Downloads the world with what happened in it, up to an entry. */
export async function saveCase({ control, world }: Panel, until?: number): Promise<void> {
  const found = await control.call('GET /worlds/{world}/case', { query: { until } })
  downloadText(`${world.name.peek()}.case.json`, pretty(found), 'application/json')
}

function SaveScenario({ entry, onClose }: { readonly entry: JournalEntry; readonly onClose: () => void }) {
  const draft = useDraft(`save ${entry.id} ${entry.at}`)
  const name = draft.part('name', toScenarioName(entry))
  const text = toScenarioFile(entry)
  const isName = /^[a-z0-9-]+$/.test(name.value)
  const isCut = entry.omitted?.includes('response.body') || entry.cut?.includes('response.body')
  return (
    <DialogForm
      title="Save as scenario"
      width="wide"
      action="Download"
      icon="download"
      disabled={!isName}
      draft={draft}
      onSubmit={async () => {
        downloadText(`${name.value}.yaml`, text, 'application/yaml')
        draft.forget()
        onClose()
      }}
      onClose={onClose}
      foot={<CopyButton text={text} what="the scenario" label="Copy" />}
    >
      <TextField
        title="Name"
        isRequired
        hint="Put the file into the --scenarios folder. With --watch, it loads at once."
        error={isName ? undefined : 'Use only a-z, 0-9 and "-".'}
        of={name}
      />
      {isCut && <p class="muted">The journal has only a part of the body: complete it in the file.</p>}
      <pre class="code">{text}</pre>
    </DialogForm>
  )
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
