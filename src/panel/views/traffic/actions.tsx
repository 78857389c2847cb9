import { Button, Menu } from '../../components/controls.tsx'
import { copyWithToast, downloadText, toast } from '../../components/toast.tsx'
import { useCommands } from '../../components/keys.ts'
import { type Panel, usePanel } from '../../data/panel.ts'
import { pretty } from '../../components/words.ts'
import type { JournalEntry } from '../../data/shapes.ts'

const forms = [
  ['curl', 'curl'],
  ['fetch', 'fetch'],
  ['HTTPie', 'httpie'],
  ['a test for Vitest', 'vitest'],
  ['a test for Jest', 'jest'],
  ['a test for Playwright', 'playwright'],
  ['a test for node:test', 'node'],
] as const

export function Actions({ entry }: { readonly entry: JournalEntry }) {
  const panel = usePanel()
  const { control, router } = panel
  const { id, operation } = entry
  const edit = () => router.setParam('compose', String(id))
  const toCode = async (as: (typeof forms)[number][1]) => {
    const path = { world: entry.world, id: String(id) }
    const { text, notes } = await control.call('GET /worlds/{world}/journal/{id}/code', { path, query: { as } })
    for (const note of notes) toast({ text: note })
    return text
  }
  const copies = forms.map(([title, as]) => ({
    title,
    run: async () => copyWithToast(await toCode(as), `the request as ${title}`),
  }))
  const isLost = entry.response.status === 0 || (entry.aborted && !entry.bytes)
  const name = `${operation ?? 'reply'} ${isLost ? 'cut' : entry.response.status}`
  const saveScenario = () => router.go({ view: 'scenarios', params: { new: String(id), name } })
  const answer = () => router.go({ view: 'scenarios', params: { new: '*', on: operation } })
  const sendAgain = async () => {
    const { id: made, response } = await control.call('POST /worlds/{world}/journal/{id}/replay', {
      path: { id: String(id) },
    })
    toast({ text: `Sent again: ${response.status === 0 ? 'the connection ended without a reply' : response.status}` })
    router.go({ rest: [String(made)] })
  }
  const answerNext = {
    title: `Answer the next calls to ${operation}`,
    keywords: 'stub fail once twice respond mock',
    run: answer,
  }
  useCommands(
    [
      ...copies.map(({ title, run }) => ({ title: `Copy the request as ${title}`, keywords: '', run })),
      ...(operation === undefined ? [] : [answerNext]),
      { title: 'Edit the request and send it again', keywords: 'change try', run: edit },
      { title: 'Send the request again', keywords: 'repeat replay', run: sendAgain },
    ],
    [entry],
  )
  return (
    <div class="row actions">
      <Menu
        label="Copy the request as code"
        items={copies.map(({ title, run }) => ({ title: `Copy as ${title}`, icon: 'copy', run }))}
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
    </div>
  )
}

/** Downloads the world with what happened in it, up to an entry. */
export async function saveCase({ control, world }: Panel, until?: number): Promise<void> {
  const found = await control.call('GET /worlds/{world}/case', { query: { until } })
  downloadText(`${world.name.peek()}.case.json`, pretty(found), 'application/json')
}

export async function saveArchive({ control, world }: Panel): Promise<void> {
  const har = await control.call('GET /worlds/{world}/journal.har')
  downloadText(`${world.name.peek()}.har`, pretty(har), 'application/json')
}
