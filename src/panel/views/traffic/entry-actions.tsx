import { Button, Menu } from '../../components/controls.tsx'
import { toResultText, pretty } from '../../components/words.ts'
import { usePanel, type Panel } from '../../data/panel.ts'
import type { JournalEntry } from '../../data/control.ts'
import { copyText, downloadText, toast } from '../../components/toast.tsx'

const forms = [
  ['curl', 'curl'],
  ['fetch', 'fetch'],
  ['HTTPie', 'httpie'],
  ['a test for Vitest', 'vitest'],
  ['a test for Jest', 'jest'],
  ['a test for Playwright', 'playwright'],
  ['a test for node:test', 'node'],
] as const

export function Actions({ entry }: { entry: JournalEntry }) {
  const panel = usePanel()
  const { control, router } = panel
  const { id, operation } = entry
  const edit = () => router.setParam('compose', String(id))
  const compare = () => router.setParam('with', 'next')
  const copies = forms.map(([title, as]) => ({
    title: `Copy as ${title}`,
    icon: 'copy' as const,
    run: async () => {
      await copyText(await readCode(control, entry, as))
      toast(`Copied the request as ${title}`)
    },
  }))
  const isLost = entry.response.status === 0 || (entry.aborted && !entry.bytes)
  const name = `${operation ?? 'reply'} ${isLost ? 'cut' : entry.response.status}`
  const saveScenario = () =>
    router.go({
      view: 'scenarios',
      params: { new: String(id), name },
    })
  const answer = () => router.setParam('act', 'answer')
  const sendAgain = async () => {
    const { id: made, response } = await control.call('POST /worlds/{world}/journal/{id}/replay', {
      id,
    })
    toast(`Sent again: ${toResultText(response.status)}`)
    router.go({ rest: [String(made)] })
  }
  return (
    <div class="row actions">
      <Menu label="Copy the request as code" items={copies}>
        <span>Copy as</span>
      </Menu>
      <Button title="The same request, with its real key" onClick={sendAgain} text="Send again" />
      <Button title="Edit it and send it again" onClick={edit} text="Edit" />
      <Button
        title="Choose another request, or click it with Shift"
        onClick={compare}
        text="Compare"
      />
      {operation && (
        <Button title="Choose what its next calls get" onClick={answer} text="Answer next" />
      )}
      <Menu
        label="Save the request"
        items={[
          {
            title: 'Save as scenario…',
            icon: 'download',
            disabled: entry.pending === true,
            run: saveScenario,
          },
          {
            title: 'Save as a case, up to here',
            icon: 'download',
            run: () => saveCase(panel, entry.id),
          },
        ]}
      />
    </div>
  )
}

async function readCode(
  control: Panel['control'],
  { world, id }: JournalEntry,
  as: (typeof forms)[number][1],
) {
  const { text, notes } = await control.call('GET /worlds/{world}/journal/{id}/code', {
    world,
    id,
    as,
  })
  for (const note of notes) toast(note)
  return text
}

export async function saveCase({ control, world }: Panel, until?: number) {
  const found = await control.call('GET /worlds/{world}/case', { until })
  downloadText(`${world.name.peek()}.case.json`, pretty(found), 'application/json')
}

export async function saveArchive({ control, world }: Panel) {
  const har = await control.call('GET /worlds/{world}/journal.har')
  downloadText(`${world.name.peek()}.har`, pretty(har), 'application/json')
}
