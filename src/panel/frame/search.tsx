import { Hint } from '../components/content.tsx'
import { useSignal } from '@preact/signals'
import { isTime, toIso } from '../../core/time/time-text.ts'
import { closeDialog, Dialog } from '../components/controls.tsx'
import { moveFocus } from '../components/lists.tsx'
import { attempt } from '../components/toast.tsx'
import { bound, TextField } from '../components/form/form.tsx'
import { readRecords } from '../data/control.ts'
import { type Panel, usePanel, useResource } from '../data/panel.ts'
import type { RouteChange } from '../data/router.ts'
import { readTypedTime } from '../components/words.ts'
import { wherePrefix } from '../views/data/queries.ts'
import { views } from '../views/index.ts'
import { advanceClock, switchOn } from './world-actions.ts'

interface SearchResult {
  title: string
  about: string
  run: () => unknown
}

const maxScenarios = 6

/** One search for an id, a path, a status, a scenario, a time or a view: the best answer first. */
export function Search() {
  const panel = usePanel()
  const text = useSignal('')
  const answers =
    useResource(() => findAnswers(panel, text.peek().trim()), [text.value]).value ?? []
  const take = ({ run }: SearchResult) => {
    closeDialog()
    void attempt(async () => run())
  }
  return (
    <Dialog title="Search" onClose={closeDialog}>
      <form
        class="form"
        onKeyDown={(event) => event.key.startsWith('Arrow') && moveFocus(event, '.search-answer')}
        onSubmit={(event) => {
          event.preventDefault()
          // The results that are shown may belong to an earlier text.
          void attempt(async () =>
            (await findAnswers(panel, text.peek().trim())).slice(0, 1).forEach(take),
          )
        }}
      >
        <TextField
          title="Search"
          isBare
          isRequired
          autofocus
          placeholder="An id, a path, a scenario, 429, 30d, acct_pro"
          {...bound(text)}
        />
        <ul aria-label="Answers">
          {answers.map((answer) => (
            <li key={answer.title}>
              <button
                type="button"
                class="search-answer menu-item line"
                onClick={() => take(answer)}
              >
                <span class="clip">{answer.title}</span>
                <span class="muted clip">{answer.about}</span>
              </button>
            </li>
          ))}
        </ul>
        {text.value !== '' && answers.length === 0 && <Hint text="Nothing is found." />}
      </form>
    </Dialog>
  )
}

async function findAnswers(panel: Panel, text: string): Promise<readonly SearchResult[]> {
  const { router } = panel
  const lower = text.toLowerCase()
  const found = views
    .filter(({ title }) => title.toLowerCase().startsWith(lower))
    .map(({ id, title }) => ({
      title,
      about: 'the view',
      run: () => router.go({ view: id }),
    }))
  if (text === '') return found
  const [records, scenarios] = await Promise.all([
    findRecords(panel, text),
    findScenarios(panel, text),
  ])
  return [
    ...toTimes(panel, text),
    ...toRequests(panel, text),
    ...found,
    ...records,
    ...scenarios,
  ].concat(toTraffic(panel, `Requests with “${text}”`, { params: { search: text } }))
}

function toTraffic({ router }: Panel, title: string, change: RouteChange): SearchResult {
  return {
    title,
    about: 'in Traffic',
    run: () =>
      router.go({
        view: 'traffic',
        ...change,
      }),
  }
}

function toRequests(panel: Panel, text: string): readonly SearchResult[] {
  const [, id] = /^#(\d{1,15})$/.exec(text) ?? []
  if (id !== undefined) return [toTraffic(panel, `Request no. ${id}`, { rest: [id] })]
  const status = text.toLowerCase()
  if (/^[2345](\d\d|xx)$/.test(status))
    return [toTraffic(panel, `Requests with the status ${text}`, { params: { status } })]
  if (!text.startsWith('/')) return []
  return [toTraffic(panel, `Requests to ${text}`, { params: { search: text } })]
}

function toTimes(panel: Panel, text: string): readonly SearchResult[] {
  if (/^\+?\d+(\.\d+)?(ms|s|m|h|d)$/.test(text)) {
    const by = text.replace('+', '')
    return [
      {
        title: `Advance the clock by ${by}`,
        about: 'now',
        run: () => advanceClock(panel, by, by),
      },
    ]
  }
  const now = panel.world.now.peek()
  if (now === undefined || !(isTime(text) || /^(in|now)\b|ago$/.test(text))) return []
  const time = readTypedTime(text, now)
  if (time === undefined) return []
  const to = toIso(time)
  return [
    {
      title: `Set the clock to ${to}`,
      about: 'now',
      run: () => panel.world.changeClock({ now: to }),
    },
  ]
}

async function findScenarios(panel: Panel, search: string): Promise<readonly SearchResult[]> {
  const { data } = await panel.control.call('GET /scenarios', { search })
  return data.slice(0, maxScenarios).flatMap(({ name, title }, index) => {
    const open: SearchResult = {
      title: `Scenario ${name}`,
      about: title,
      run: () =>
        panel.router.go({
          view: 'scenarios',
          rest: [name],
        }),
    }
    const use: SearchResult = {
      title: `Switch ${name} on`,
      about: title,
      run: () => switchOn(panel, { name }),
    }
    return index === 0 ? [use, open] : [open]
  })
}

/** Asks each collection for a record of this id. */
async function findRecords(
  { control, router }: Panel,
  id: string,
): Promise<readonly SearchResult[]> {
  if (!/^[\w-]{1,64}$/.test(id)) return []
  const { data } = await control.call('GET /collections')
  const found = await Promise.all(
    data.map(async ({ name, title, id: idField }): Promise<readonly SearchResult[]> => {
      const { total } = await readRecords(control, name, {
        [wherePrefix + idField]: id,
        limit: 0,
      })
      if (!total) return []
      const run = () =>
        router.go({
          view: 'data',
          rest: [name, id],
        })
      return [{ title: `${id} in ${title}`, about: 'in Data', run }]
    }),
  )
  return found.flat()
}
