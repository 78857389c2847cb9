import { signal, useComputed, useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { keyIn } from '../../core/http/urls.ts'
import { Fact, Facts } from '../components/content.tsx'
import { Dialog, useModal } from '../components/dialog.tsx'
import { copyWithToast } from '../components/files.ts'
import { type Action, actions, findActions, listBindings } from '../components/keys.ts'
import { toFilePosition } from '../components/states.tsx'
import { attempt, toast } from '../components/toast.tsx'
import { toPlural } from '../components/words.ts'
import { changeAssumptions, readEventTypes } from '../data/control.ts'
import { nameOfChoice, toChoiceText } from '../data/choice.ts'
import { type Panel, usePanel } from '../data/panel.ts'
import type { ScenarioSummary } from '../data/shapes.ts'
import { surfaceRoot } from '../data/surface.ts'
import { switchOffAt, switchOn } from './switch.ts'
import { restoreSnapshot } from './world-actions.ts'
import { goToWorld } from '../views/index.ts'

export const openDialog = signal<'palette' | 'keys' | undefined>(undefined)

const max = 60

export function Palette() {
  const panel = usePanel()
  const close = () => void (openDialog.value = undefined)
  const modal = useModal(close)
  const id = useId()
  const search = useSignal('')
  const place = useSignal(0)
  const further = useSignal<readonly Action[]>([])
  const found = useComputed(() =>
    findActions([...actions.value.values(), ...further.value], search.value).slice(0, max),
  )

  useEffect(() => {
    void attempt(async () => void (further.value = await readFurtherActions(panel)))
  }, [])
  useEffect(() => {
    surfaceRoot().getElementById(`${id}-${place.value}`)?.scrollIntoView({ block: 'nearest' })
  }, [place.value])

  const run = (action: Action | undefined) => {
    if (!action) return
    close()
    void attempt(async () => action.run())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { length } = found.value
    if (event.key === 'ArrowDown') place.value = (place.value + 1) % Math.max(1, length)
    else if (event.key === 'ArrowUp') place.value = (place.value + length - 1) % Math.max(1, length)
    else if (event.key === 'Enter') run(found.value[place.value])
    else return
    event.preventDefault()
  }
  const chosen = found.value[place.value]
  return (
    <dialog {...modal} class="palette" aria-label="Actions">
      <div>
        <input
          class="palette-input"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen ? `${id}-${place.value}` : undefined}
          aria-autocomplete="list"
          aria-label="Find an action"
          placeholder="What would you like to do?"
          autocomplete="off"
          spellcheck={false}
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value
            place.value = 0
          }}
          onKeyDown={onKeyDown}
        />
        <div class="palette-list" role="listbox" id={`${id}-list`} aria-label="Actions">
          {found.value.map((action, index) => (
            <div
              key={action.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === place.value}
              class="palette-item"
              onPointerMove={() => (place.value = index)}
              onClick={() => run(action)}
            >
              <span>{action.title}</span>
              {action.keys && <kbd>{action.keys}</kbd>}
            </div>
          ))}
        </div>
        {found.value.length === 0 && <p class="palette-none muted">No action matches.</p>}
      </div>
    </dialog>
  )
}

async function readFurtherActions(panel: Panel): Promise<Action[]> {
  const { control, router, world } = panel
  const name = world.name.peek()
  const [{ data: library }, problems, start, types, { data: assumptions }, values] = await Promise.all([
    control.call('GET /scenarios'),
    control.call('GET /problems'),
    control.call('GET /start'),
    readEventTypes(control),
    control.call('GET /assumptions'),
    control.call('GET /worlds/{world}/assumptions', { path: { world: name } }),
  ])
  const active = world.active.peek()
  const isActive = new Set(active.map(nameOfChoice))
  const toAction = (id: string, title: string, keywords: string, run: () => unknown) => ({ id, title, keywords, run })
  const assume = async (id: string, value: string) => {
    const { undo } = await changeAssumptions(control, name, { [id]: value })
    router.go({ view: 'assumptions', rest: [id] })
    toast({ text: `${id} is ${value}`, undo })
  }
  return [
    ...active.map((choice, index) => {
      const text = toChoiceText(choice)
      return toAction(`off:${text}`, `Switch off ${text}`, 'scenario stop', () => switchOffAt(panel, index, choice))
    }),
    ...world.worlds
      .peek()
      .filter((other) => other !== name)
      .map((other) => toAction(`world:${other}`, `Go to the world ${other}`, 'switch', () => goToWorld(panel, other))),
    ...world.snapshots
      .peek()
      .map((snapshot) =>
        toAction(`snapshots:restore:${snapshot}`, `Restore the snapshot ${snapshot}`, 'back data state', () =>
          restoreSnapshot(panel, snapshot),
        ),
      ),
    ...Object.keys(start.keys).map((key) => {
      const whole = keyIn(name, key)
      return toAction(`copy:${key}`, `Copy ${whole}`, 'key token bearer', () => copyWithToast(whole, whole))
    }),
    ...library
      .filter((scenario) => !isActive.has(scenario.name))
      .map((scenario) =>
        toAction(`use:${scenario.name}`, `Use ${scenario.name}`, `switch on scenario ${toWords(scenario)}`, () =>
          switchOn(panel, scenario.name),
        ),
      ),
    ...problems.data.map((problem) => {
      const place = toFilePosition(problem)
      const title = `Problem in ${place}: ${problem.message}`
      return toAction(`problem:${place} ${problem.message}`, title, 'broken file scenario fixture error', () =>
        router.go({ view: 'overview' }),
      )
    }),
    ...types.map((type) =>
      toAction(`trigger:${type}`, `Trigger ${type}`, 'event webhook send', () => trigger(panel, type)),
    ),
    ...assumptions.flatMap(({ id, question, values: possible }) =>
      possible
        .filter((value) => value !== values[id])
        .map((value) => {
          const keywords = `switch assumption ${value === possible[0] ? 'default reset' : ''} ${question}`
          return toAction(`assume:${id}:${value}`, `Assume ${id} is ${value}`, keywords, () => assume(id, value))
        }),
    ),
  ]
}

function toWords({ title, tags, description, covers, options }: ScenarioSummary): string {
  const ofOptions = Object.entries(options).flatMap(([option, { description: meaning = '', values = [] }]) => [
    option,
    meaning,
    ...values,
  ])
  return [title, ...tags, description, covers, ...ofOptions].join(' ')
}

async function trigger({ control, router }: Panel, type: string): Promise<void> {
  const [first, ...others] = (await control.call('POST /worlds/{world}/events', { body: { type } })).data
  if (!first) return toast({ text: `${type} went nowhere: no enabled endpoint subscribes to it`, kind: 'failed' })
  toast({ text: `${type} goes to ${toPlural(others.length + 1, 'endpoint')}` })
  router.go({ view: 'webhooks', rest: ['deliveries', first.id] })
}

export function KeyList() {
  const all = [...inLists, ...listBindings().map(({ keys, title }) => [keys, title] as const)]
  return (
    <Dialog title="Keys" onClose={() => (openDialog.value = undefined)}>
      <Facts kind="key-list">
        {all.map(([keys, title]) => (
          <Fact
            key={keys + title}
            title={keys.split(' ').map((key) => (
              <kbd key={key}>{toShownKey(key)}</kbd>
            ))}
          >
            {title}
          </Fact>
        ))}
      </Facts>
    </Dialog>
  )
}

const inLists = [
  ['j k', 'Move in a list'],
  ['Enter', 'Open'],
  ['Esc', 'Close'],
] as const

export function toShownKey(key: string): string {
  return key.replace('Mod+', isMac() ? '⌘' : 'Ctrl ').replace(/(?<=⌘|Ctrl )\w$/, (letter) => letter.toUpperCase())
}

function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform)
}
