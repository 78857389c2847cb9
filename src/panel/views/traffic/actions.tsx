import { useSignal } from '@preact/signals'
import { toClientUrl } from '../../../core/http/client-url.ts'
import { Button, copyWithToast, Icon, Menu, toast, useActions } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import type { Api } from '../../data/api.ts'
import type { JournalEntry } from '../../data/shapes.ts'
import { AnswerNext } from './answer-next.tsx'
import { withoutKey, toCurl, toFetch, toHttpie, toCodeRequest, type CodeRequest } from './code.ts'
import { EditRequest } from './edit-request.tsx'
import { harEntries, saveCase, toggleHarEntry } from './har.ts'
import { keyOf, readKeyNames } from './key-names.ts'
import { SaveScenario } from './save-scenario.tsx'
import { runners, toTest, type TestStart } from './test-code.ts'

type ToText = (request: CodeRequest, entry: JournalEntry, api: Api) => string | Promise<string>

const forms: readonly (readonly [title: string, toText: ToText])[] = [
  ['curl', toCurl],
  ['fetch', toFetch],
  ['HTTPie', toHttpie],
  ...runners.map((runner): [string, ToText] => [
    `a test for ${runner.title}`,
    async (request, entry, api) => toTest(runner, entry, request, await readStart(entry, api)),
  ]),
]

async function readStart({ world, at }: JournalEntry, api: Api): Promise<TestStart> {
  const [{ seed }, scenarios] = await Promise.all([api.world(world), api.activeScenarios(world)])
  return { seed, now: at, scenarios }
}

export interface ActionsProps {
  readonly entry: JournalEntry
  readonly keyName: string | undefined
}

export function Actions({ entry, keyName }: ActionsProps) {
  const { api, router } = usePanel()
  const isSaving = useSignal(false)
  const isAnswering = useSignal(false)
  const edited = useSignal<CodeRequest | undefined>(undefined)
  const { operation } = entry
  const isChosen = harEntries.value.has(entry.id)
  const read = async (what: string, toUrl: (path: string) => string) => {
    const lost = [...(entry.omitted ?? []), ...(entry.cut ?? [])].filter((part) => part.startsWith('request.'))
    if (lost.length > 0) throw new Error(`The journal did not keep the whole request: ${what} would be another one.`)
    return toCodeRequest(entry, toUrl, keyName ?? keyOf(entry, await readKeyNames(api, entry.world)))
  }
  const copy = async (title: string, toText: ToText) => {
    const { plants_url: plants, apps_url: apps } = await api.start()
    const request = await read(`a copy as ${title}`, toClientUrl({ plants, apps }))
    await copyWithToast(await toText(request, entry, api), `the request as ${title}`)
    if (request.headers.some(([, value]) => value.includes(withoutKey)))
      toast({ text: `The journal keeps no keys: replace ${withoutKey} with yours.` })
  }
  const edit = async () => void (edited.value = await read('what you edit', (path) => path))
  const sendAgain = async () => {
    const { id, response } = await api.replay(entry.world, entry.id)
    toast({ text: `Sent again: ${response.status === 0 ? 'the connection ended without a reply' : response.status}` })
    router.go({ rest: [String(id)] })
  }
  useActions(
    [
      ...forms.map(([title, toText]) => ({
        id: `traffic:copy:${title}`,
        title: `Copy the request as ${title}`,
        keywords: 'code clipboard',
        run: () => copy(title, toText),
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
        items={forms.map(([title, toText]) => ({
          title: `Copy as ${title}`,
          icon: 'copy',
          run: () => copy(title, toText),
        }))}
      >
        <Icon name="copy" />
        <span>Copy as</span>
      </Menu>
      <Button icon="redo" onClick={sendAgain}>
        Send again
      </Button>
      <Button onClick={edit}>Edit and send again</Button>
      <Button
        icon="download"
        disabled={entry.pending}
        title="A scenario file that repeats this reply"
        onClick={() => void (isSaving.value = true)}
      >
        Save as scenario
      </Button>
      <Button
        icon="download"
        title="One file with everything up to this request: greenhouse-mock case replay"
        onClick={() => saveCase(api, entry.world, entry.id)}
      >
        Save as a case
      </Button>
      <Button icon="plus" pressed={isChosen} onClick={() => toggleHarEntry(entry.id)}>
        {isChosen ? 'In the HAR' : 'Add to HAR'}
      </Button>
      {operation && (
        <Button icon="play" title="Choose what its next calls get" onClick={() => void (isAnswering.value = true)}>
          Answer next …
        </Button>
      )}
      {edited.value && <EditRequest entry={entry} request={edited.value} onClose={() => (edited.value = undefined)} />}
      {isAnswering.value && operation && (
        <AnswerNext operation={operation} onClose={() => (isAnswering.value = false)} />
      )}
      {isSaving.value && <SaveScenario entry={entry} onClose={() => (isSaving.value = false)} />}
    </div>
  )
}
