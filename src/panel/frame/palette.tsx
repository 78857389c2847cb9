import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { keyIn } from '../../core/http/urls.ts'
import { Fact, Facts } from '../components/content.tsx'
import { Dialog, openDialog, useModal } from '../components/controls.tsx'
import { attempt, change, copyWithToast, toast } from '../components/toast.tsx'
import { findCommands, type PanelCommand, panelCommands } from '../components/keys.ts'
import { toPlural } from '../components/words.ts'
import { readEventTypes } from '../data/control.ts'
import { type Panel, usePanel } from '../data/panel.ts'
import { surfaceRoot } from '../data/surface.ts'
import { goToWorld } from '../views/index.ts'
import { restoreSnapshot, switchOffAt, switchOn } from './world-actions.ts'

const max = 60

export function Palette() {
  const panel = usePanel()
  const close = () => void (openDialog.value = undefined)
  const modal = useModal(close)
  const id = useId()
  const typed = useSignal('')
  const index = useSignal(0)
  const listed = useSignal<Listed | undefined>(undefined)
  const found = useComputed(() => {
    const inWorld = listed.value ? toCommands(panel, listed.value) : []
    return findCommands([...panelCommands.value, ...inWorld], typed.value).slice(0, max)
  }).value
  const chosen = found[index.value]

  useEffect(() => {
    void attempt(async () => void (listed.value = await readListed(panel)))
  }, [])
  useEffect(() => {
    surfaceRoot().getElementById(`${id}-${index.value}`)?.scrollIntoView({ block: 'nearest' })
  }, [index.value])

  const run = (command: PanelCommand) => {
    close()
    void attempt(async () => command.run())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) index.value = (index.value + step + found.length) % Math.max(1, found.length)
    else if (event.key !== 'Enter') return
    else if (chosen) run(chosen)
    event.preventDefault()
  }
  return (
    <dialog {...modal} class="palette" aria-label="Actions">
      <input
        class="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen ? `${id}-${index.value}` : undefined}
        aria-autocomplete="list"
        aria-label="Find an action"
        placeholder="What would you like to do?"
        autocomplete="off"
        spellcheck={false}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          index.value = 0
        }}
        onKeyDown={onKeyDown}
      />
      <div class="palette-list" role="listbox" id={`${id}-list`} aria-label="Actions">
        {found.map((command, at) => (
          <div
            key={command.title}
            id={`${id}-${at}`}
            role="option"
            aria-selected={command === chosen}
            class="palette-item"
            onPointerMove={() => (index.value = at)}
            onClick={() => run(command)}
          >
            <span>{command.title}</span>
            {command.keys && <kbd>{command.keys}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="muted">No action matches.</p>}
    </dialog>
  )
}

type Listed = Awaited<ReturnType<typeof readListed>>

async function readListed({ control, world }: Panel) {
  const name = world.name.peek()
  const [library, start, types, assumptions, values] = await Promise.all([
    control.call('GET /scenarios'),
    control.call('GET /start'),
    readEventTypes(control),
    control.call('GET /assumptions'),
    control.call('GET /worlds/{world}/assumptions', { path: { world: name } }),
  ])
  return { name, library: library.data, keys: Object.keys(start.keys), types, assumptions: assumptions.data, values }
}

function toCommands(panel: Panel, { name, library, keys, types, assumptions, values }: Listed): PanelCommand[] {
  const { world } = panel
  const active = world.active.value
  const isActive = new Set(active.map(({ name }) => name))
  const rows: readonly (readonly [title: string, keywords: string, run: () => unknown])[] = [
    ...library
      .filter((scenario) => !isActive.has(scenario.name))
      .map((scenario) => {
        const keywords = ['switch on', scenario.title, ...scenario.tags, ...Object.keys(scenario.options)].join(' ')
        return [`Use ${scenario.name}`, keywords, () => switchOn(panel, scenario.name)] as const
      }),
    ...active.map(
      ({ label }, index) => [`Switch off ${label}`, 'scenario stop', () => switchOffAt(panel, index)] as const,
    ),
    ...keys.map((key) => {
      const whole = keyIn(name, key)
      return [`Copy ${whole}`, 'key token bearer', () => copyWithToast(whole, whole)] as const
    }),
    ...world.worlds.value
      .filter((other) => other !== name)
      .map((other) => [`Go to the world ${other}`, 'show', () => goToWorld(panel, other)] as const),
    ...world.snapshots.value.map(
      (one) => [`Restore the snapshot ${one}`, 'go back', () => restoreSnapshot(panel, one)] as const,
    ),
    ...types.map((type) => [`Trigger ${type}`, 'event webhook send', () => trigger(panel, type)] as const),
    ...assumptions.flatMap(({ id, values: possible }) =>
      possible
        .filter((value) => value !== values[id])
        .map((value) => [`Assume ${id} is ${value}`, 'change', () => assume(panel, id, value)] as const),
    ),
  ]
  return rows.map(([title, keywords, run]) => ({ title, keywords, run }))
}

async function assume(panel: Panel, id: string, value: string): Promise<void> {
  await change(panel, `${id} is ${value}`, (control) =>
    control.call('PATCH /worlds/{world}/assumptions', { body: { [id]: value } }),
  )
  panel.router.go({ view: 'scenarios', params: { tab: 'assumptions', assumption: id } })
}

async function trigger({ control, router }: Panel, type: string): Promise<void> {
  const [first, ...others] = (await control.call('POST /worlds/{world}/events', { body: { type } })).data
  if (!first) return toast({ text: `${type} went nowhere: no enabled endpoint subscribes to it`, kind: 'failed' })
  toast({ text: `${type} goes to ${toPlural(others.length + 1, 'endpoint')}` })
  router.go({ view: 'webhooks', rest: ['deliveries', first.id] })
}

const inLists = [
  { keys: 'j k', title: 'Move in a list' },
  { keys: 'Enter', title: 'Open' },
  { keys: 'Esc', title: 'Close' },
]

export function KeyList() {
  return (
    <Dialog title="Keys" onClose={() => (openDialog.value = undefined)}>
      <Facts>
        {[...inLists, ...panelCommands.value.filter(({ keys, title }) => keys && title)].map(({ keys = '', title }) => (
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

export function toShownKey(key: string): string {
  const mod = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl '
  return key.replace(/^Mod\+(\w)$/, (_, letter: string) => mod + letter.toUpperCase())
}
