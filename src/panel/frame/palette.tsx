import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { keyIn } from '../../core/http/urls.ts'
import { type Action, actions, findActions } from '../components/actions.ts'
import { attempt, copyWithToast, toast, toPlural, useModal } from '../components/index.ts'
import { changeAssumptions, readEventTypes } from '../data/api.ts'
import { nameOfChoice, toChoiceText } from '../data/choice.ts'
import { type Panel, usePanel } from '../data/panel.ts'
import type { ScenarioSummary } from '../data/shapes.ts'
import { surfaceRoot } from '../data/surface.ts'
import { restoreSnapshot } from './go-back.ts'
import { goToWorld } from './go-to-world.ts'
import { openDialog } from './open-dialog.ts'
import { toFilePosition } from './problems.tsx'
import { switchOffAt, switchOn } from './switch.ts'

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
  const [scenarios, problems, keys, assumptions, events] = await Promise.all([
    scenarioActions(panel),
    problemActions(panel),
    keyActions(panel),
    assumptionActions(panel),
    eventActions(panel),
  ])
  return [
    ...activeActions(panel),
    ...worldActions(panel),
    ...snapshotActions(panel),
    ...keys,
    ...scenarios,
    ...problems,
    ...events,
    ...assumptions,
  ]
}

async function eventActions({ api, world, router }: Panel): Promise<Action[]> {
  return (await readEventTypes(api)).map((type) => ({
    id: `trigger:${type}`,
    title: `Trigger ${type}`,
    keywords: 'event webhook send',
    run: async () => {
      const [first, ...others] = await api.trigger(world.name.peek(), { type })
      if (!first) return toast({ text: `${type} went nowhere: no enabled endpoint subscribes to it`, kind: 'failed' })
      toast({ text: `${type} goes to ${toPlural(others.length + 1, 'endpoint')}` })
      router.go({ view: 'webhooks', rest: ['deliveries', first.id] })
    },
  }))
}

async function scenarioActions(panel: Panel): Promise<Action[]> {
  const { api, world } = panel
  const isActive = new Set(world.active.peek().map(nameOfChoice))
  return (await api.scenarios())
    .filter((scenario) => !isActive.has(scenario.name))
    .map((scenario) => ({
      id: `use:${scenario.name}`,
      title: `Use ${scenario.name}`,
      keywords: `switch on scenario ${toWords(scenario)}`,
      run: () => switchOn(panel, scenario.name),
    }))
}

async function problemActions({ api, router }: Panel): Promise<Action[]> {
  return (await api.problems()).data.map((problem) => ({
    id: `problem:${toFilePosition(problem)} ${problem.message}`,
    title: `Problem in ${toFilePosition(problem)}: ${problem.message}`,
    keywords: 'broken file scenario fixture error',
    run: () => router.go({ view: 'overview' }),
  }))
}

function activeActions(panel: Panel): Action[] {
  return panel.world.active.peek().map((choice, index) => {
    const text = toChoiceText(choice)
    return {
      id: `off:${text}`,
      title: `Switch off ${text}`,
      keywords: 'scenario stop',
      run: () => switchOffAt(panel, index, choice),
    }
  })
}

function toWords({ title, tags, description, covers, options }: ScenarioSummary): string {
  const ofOptions = Object.entries(options).flatMap(([option, { description: meaning = '', values = [] }]) => [
    option,
    meaning,
    ...values,
  ])
  return [title, ...tags, description, covers, ...ofOptions].join(' ')
}

function snapshotActions(panel: Panel): Action[] {
  return panel.world.snapshots.peek().map((name) => ({
    id: `snapshots:restore:${name}`,
    title: `Restore the snapshot ${name}`,
    keywords: 'back data state',
    run: () => restoreSnapshot(panel, name),
  }))
}

function worldActions(panel: Panel): Action[] {
  const { world } = panel
  return world.worlds
    .peek()
    .filter((name) => name !== world.name.peek())
    .map((name) => ({
      id: `world:${name}`,
      title: `Go to the world ${name}`,
      keywords: 'switch',
      run: () => goToWorld(panel, name),
    }))
}

async function keyActions({ api, world }: Panel): Promise<Action[]> {
  const name = world.name.peek()
  const { keys } = await api.start()
  return Object.keys(keys).map((key) => {
    const whole = keyIn(name, key)
    return {
      id: `copy:${key}`,
      title: `Copy ${whole}`,
      keywords: 'key token bearer',
      run: () => copyWithToast(whole, whole),
    }
  })
}

async function assumptionActions({ api, world, router }: Panel): Promise<Action[]> {
  const name = world.name.peek()
  const [all, now] = await Promise.all([api.assumptions(), api.worldAssumptions(name)])
  return all.flatMap(({ id, question, values }) =>
    values
      .filter((value) => value !== now[id])
      .map((value) => ({
        id: `assume:${id}:${value}`,
        title: `Assume ${id} is ${value}`,
        keywords: `switch assumption ${value === values[0] ? 'default reset' : ''} ${question}`,
        run: async () => {
          const { undo } = await changeAssumptions(api, name, { [id]: value })
          router.go({ view: 'assumptions', rest: [id] })
          toast({ text: `${id} is ${value}`, undo })
        },
      })),
  )
}
