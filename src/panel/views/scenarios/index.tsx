import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button, IconButton, Switch } from '../../components/controls.tsx'
import { useActions, useEscape, useKeys } from '../../components/keys.ts'
import { FilterToggle, Link, ViewHead } from '../../components/layout.tsx'
import { moveFocus } from '../../components/lists.tsx'
import { Icon, Tag } from '../../components/marks.tsx'
import { EmptyState, Loaded, ProblemsBar } from '../../components/states.tsx'
import { attempt } from '../../components/toast.tsx'
import { groupBy } from '../../components/words.ts'
import {
  choicesByKey,
  isInlineChoice,
  labelOfChoice,
  nameOfChoice,
  splitChoice,
  toChoiceText,
} from '../../data/choice.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { PanelChoice, ScenarioSummary } from '../../data/shapes.ts'
import { focusedElement } from '../../data/surface.ts'
import { move, switchOff, switchOffAt, switchOn } from '../../frame/switch.ts'
import { MswMark, ScenarioDetail } from './detail.tsx'
import { activeTexts, clearedOptionParams, toScenarioChoice } from './options-form.tsx'

export default function Scenarios() {
  const panel = usePanel()
  const { control, router, world } = panel
  const { params, rest } = router.route.value
  const search = params['search'] ?? ''
  const all = useResource(async () => (await control.call('GET /scenarios')).data, [])
  const found = useResource(async () => (await control.call('GET /scenarios', { query: { search } })).data, [search])
  const active = world.active.value
  const opened = rest[0]
  const close = () => router.go({ rest: [], params: clearedOptionParams(router.route.peek().params) }, true)
  useEscape(opened !== undefined, close)
  useKeys([{ keys: 'x', title: 'Switch the focused scenario on or off', run: pressSwitch }])
  useActions([
    {
      id: 'scenarios:own',
      title: 'Show only your own scenarios',
      keywords: 'filter',
      run: () => router.setParam('own', 'true'),
    },
  ])

  const isOwnOnly = params['own'] === 'true'
  const hasOwn = all.value.value?.some(({ bundled }) => !bundled) ?? false
  const onChoose = (name: string) =>
    router.go({ rest: [name], params: clearedOptionParams(router.route.peek().params) }, opened !== undefined)

  return (
    <>
      <ViewHead
        title="Scenarios"
        search={{ label: 'Search scenarios', placeholder: '429, retry, slow, webhook' }}
        count={{
          shown: found.value.value && applyOwnFilter(found.value.value).length,
          all: all.value.value?.length,
          item: 'scenario',
        }}
      >
        {(hasOwn || isOwnOnly) && <FilterToggle param="own" text="Your own" />}
      </ViewHead>
      <div class="split">
        <div
          class="split-list scenarios-list"
          data-list
          tabIndex={-1}
          onKeyDown={(event) => moveFocus(event, '.scenario', '.scenario-open')}
        >
          <ProblemsBar />
          <ScenarioOrder library={all.value.value ?? []} />
          <Loaded resource={found} lines={18}>
            {showGroups}
          </Loaded>
        </div>
        {opened !== undefined && (
          <Loaded resource={all}>
            {(scenarios) => (
              <ScenarioDetail
                key={opened}
                name={opened}
                scenario={scenarios.find(({ name }) => name === opened)}
                onClose={close}
              />
            )}
          </Loaded>
        )}
      </div>
    </>
  )

  function showGroups(scenarios: readonly ScenarioSummary[]) {
    const shown = applyOwnFilter(scenarios)
    if (shown.length === 0)
      return (
        <EmptyState title={isOwnOnly && search === '' ? 'You have no scenarios of your own' : 'No scenario matches'}>
          <p>
            {isOwnOnly && search === ''
              ? 'Start with --scenarios DIR: each YAML file in it is a scenario. Traffic makes one from any reply.'
              : 'All words of a search must be in the name, the title, the tags, the sentences or the options.'}
          </p>
          <Button onClick={() => router.go({ view: 'scenarios' })} text="Show all" />
        </EmptyState>
      )
    return (
      <>
        {toGroups(shown).map(({ title, members }) => (
          <section key={title} class="section scenarios-group" aria-label={title}>
            <h2>
              {title} <span class="count">{members.length}</span>
            </h2>
            <ul class="columns scenarios-cards">
              {members.map((scenario) => (
                <Card
                  key={scenario.name}
                  scenario={scenario}
                  choice={active.find((choice) => nameOfChoice(choice) === scenario.name)}
                  isOpen={scenario.name === opened}
                  onOpen={() => onChoose(scenario.name)}
                />
              ))}
            </ul>
          </section>
        ))}
      </>
    )
  }

  function applyOwnFilter(scenarios: readonly ScenarioSummary[]): readonly ScenarioSummary[] {
    return isOwnOnly ? scenarios.filter(({ bundled }) => !bundled) : scenarios
  }
}

function pressSwitch(): void {
  focusedElement()?.closest('.scenario, .scenario-detail')?.querySelector<HTMLButtonElement>('[role=switch]')?.click()
}

const titles = [
  'Keys and permissions',
  'Plans, limits and payments',
  'Errors',
  'Slowness',
  'Broken replies',
  'Network',
  'Data',
  'Webhooks',
  'Time and long work',
  'Others',
] as const

/** The tags of each group. A scenario belongs to the first group that has one of its tags. */
const tagsByGroup: readonly (readonly [title: (typeof titles)[number], ...tags: string[]])[] = [
  ['Plans, limits and payments', 'payment', 'plan', 'rate-limit', 'quota', 'billing', '429'],
  ['Webhooks', 'webhook'],
  ['Keys and permissions', 'auth', 'key', 'scope', 'permissions', '401', '403'],
  ['Time and long work', 'deployment', 'clock'],
  ['Slowness', 'slow', 'stall', 'latency', 'delay'],
  ['Network', 'network', 'offline', 'econnreset'],
  ['Broken replies', 'malformed', 'body', 'headers'],
  ['Data', 'data', 'list', 'cache', 'pagination'],
  ['Errors', 'error', 'outage', 'retry', 'validation'],
]

function toGroups(scenarios: readonly ScenarioSummary[]) {
  const groups = groupBy(scenarios, (scenario) => [titleOf(scenario)])
  return titles.flatMap((title) => (groups.has(title) ? [{ title, members: groups.get(title)! }] : []))
}

function titleOf({ tags }: ScenarioSummary): (typeof titles)[number] {
  const found = tagsByGroup.find(([, ...known]) => known.some((tag) => tags.includes(tag)))
  return found?.[0] ?? (tags.some((tag) => /^[45]\d\d$/.test(tag)) ? 'Errors' : 'Others')
}

function ScenarioOrder({ library }: { readonly library: readonly ScenarioSummary[] }) {
  const panel = usePanel()
  const { world } = panel
  const active = world.active.value
  const dragged = useSignal<number | undefined>(undefined)
  const over = useSignal<number | undefined>(undefined)
  const announcement = useSignal('')
  const list = useRef<HTMLOListElement>(null)
  /** The new position of a scenario that was moved with keys: its handle gets the focus again. */
  const moved = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (moved.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${moved.current}"]`)?.focus()
    moved.current = undefined
  }, [active])
  if (active.length < 2) return null

  const moveTo = (from: number, to: number) => {
    if (to < 0 || to >= active.length || from === to) return
    const name = labelOfChoice(active[from]!, active)
    void attempt(async () => {
      await move(panel, from, to)
      announcement.value = `${name} is now ${to + 1} of ${active.length}`
    })
  }
  return (
    <section class="scenarios-order" aria-labelledby="scenarios-order">
      <h2 id="scenarios-order">Order</h2>
      <p class="muted">
        Each acts on the result of the one before it. When two decide the same thing, the last one wins. Moving one
        starts its counters again.
      </p>
      <ol ref={list}>
        {[...choicesByKey(active)].map(([key, choice], index) => {
          const label = labelOfChoice(choice, active)
          const [name, options] = splitChoice(choice, library)
          return (
            <li
              key={key}
              draggable
              class={`line ${over.value === index && dragged.value !== index ? 'scenarios-over' : ''}`}
              onDragStart={(event) => {
                dragged.value = index
                event.dataTransfer?.setData('text/plain', toChoiceText(choice))
              }}
              onDragOver={(event) => {
                if (dragged.value === undefined) return
                event.preventDefault()
                over.value = index
              }}
              onDrop={(event) => {
                event.preventDefault()
                if (dragged.value !== undefined) moveTo(dragged.value, index)
              }}
              onDragEnd={() => (dragged.value = over.value = undefined)}
            >
              <button
                type="button"
                class="icon-button scenarios-handle"
                data-handle={index}
                aria-label={`Move ${label}, ${index + 1} of ${active.length}: arrow keys`}
                title="Drag, or arrow keys"
                onKeyDown={(event) => {
                  const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: active.length - 1 }[event.key]
                  if (to === undefined) return
                  event.preventDefault()
                  event.stopPropagation()
                  moved.current = to
                  moveTo(index, to)
                }}
              >
                <Icon name="menu" />
              </button>
              <span class="muted">{index + 1}</span>
              {isInlineChoice(choice) ? (
                <span class="breaks">{name}</span>
              ) : (
                <Link class="breaks" to={{ rest: [name] }}>
                  {name}
                </Link>
              )}
              {options && <span class="muted clip">{options}</span>}
              <span class="spacer" />
              <span class="upside-down">
                <IconButton
                  icon="chevron"
                  label={`Move ${label} up`}
                  disabled={index === 0}
                  onClick={() => moveTo(index, index - 1)}
                />
              </span>
              <IconButton
                icon="chevron"
                label={`Move ${label} down`}
                disabled={index === active.length - 1}
                onClick={() => moveTo(index, index + 1)}
              />
              <IconButton
                icon="close"
                label={`Switch off ${label} here`}
                onClick={() => switchOffAt(panel, index, choice)}
              />
            </li>
          )
        })}
      </ol>
      <p class="hidden-text" role="status">
        {announcement.value}
      </p>
    </section>
  )
}

interface CardProps {
  readonly scenario: ScenarioSummary
  readonly choice: PanelChoice | undefined
  readonly isOpen: boolean
  readonly onOpen: () => void
}

function Card({ scenario, choice, isOpen, onOpen }: CardProps) {
  const panel = usePanel()
  const { name, title, description, bundled, file } = scenario
  const changed =
    choice && toChoiceText(toScenarioChoice(scenario, activeTexts(scenario, choice))).slice(name.length + 1)
  return (
    <li class={`scenario ${choice ? 'scenario-on' : ''}`} aria-current={isOpen || undefined}>
      <div class="scenario-head">
        <h3>
          <a
            class="scenario-open"
            href={panel.router.href({ rest: [name] })}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              onOpen()
            }}
          >
            {title}
          </a>
        </h3>
        <Switch
          label={name}
          showLabel={false}
          on={choice !== undefined}
          onChange={(on) => void attempt(() => (on ? switchOn(panel, name) : switchOff(panel, name)))}
        />
      </div>
      <p class="scenario-name row muted breaks">
        <code>{name}</code>
        {changed && <code class="scenario-changed">{changed.replaceAll(',', ' ')}</code>}
        <MswMark scenario={scenario} />
        {!bundled && <Tag title={file ?? 'It was passed to createGreenhouse in code.'}>{file ?? 'from code'}</Tag>}
      </p>
      <p class="scenario-sentence muted">{description}</p>
    </li>
  )
}
