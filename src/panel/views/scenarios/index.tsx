import { useSignal } from '@preact/signals'
import { Button, Switch } from '../../components/controls.tsx'
import { useEscape, useKeys } from '../../components/keys.ts'
import { FilterToggle, Link, ViewHead } from '../../components/layout.tsx'
import { moveFocus, useRoving } from '../../components/lists.tsx'
import { Tag } from '../../components/marks.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
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
import { AssumptionList, ScenarioTabs } from './assumptions.tsx'
import { clearedOptions, MswMark, ScenarioDetail } from './detail.tsx'
import { NewScenario } from './new.tsx'
import { activeTexts, toNotation, toScenarioChoice } from './options.tsx'

export default function Scenarios() {
  const { router } = usePanel()
  const { tab, new: made } = router.route.value.params
  if (tab === 'assumptions') return <AssumptionList />
  return made === undefined ? <ScenarioList /> : <NewScenario />
}

function ScenarioList() {
  const { control, router, world } = usePanel()
  const { params, rest } = router.route.value
  const search = params['search'] ?? ''
  const all = useResource(async () => (await control.call('GET /scenarios')).data, [])
  const found = useResource(async () => (await control.call('GET /scenarios', { query: { search } })).data, [search])
  const roving = useRoving<HTMLDivElement>('.scenario-open, .scenario .switch')
  const active = world.active.value
  const opened = rest[0]
  const close = () => router.go({ rest: [], params: clearedOptions(router.route.peek().params) }, true)
  useEscape(opened !== undefined, close)
  useKeys([{ keys: 'x', title: 'Switch the focused scenario on or off', run: pressSwitch }])

  const isOwnOnly = params['own'] === 'true'
  const hasOwn = all.value.value?.some(({ bundled }) => !bundled) ?? false
  const fits = ({ bundled }: ScenarioSummary) => !isOwnOnly || !bundled
  const shown = found.value.value?.filter(fits)
  const open = (name: string) =>
    router.go({ rest: [name], params: clearedOptions(router.route.peek().params) }, opened !== undefined)

  return (
    <>
      <ViewHead
        title="Scenarios"
        search={{ label: 'Search scenarios', placeholder: '429, retry, slow, webhook' }}
        count={{ shown: shown?.length, all: all.value.value?.length, item: 'scenario' }}
        actions={<Button icon="plus" onClick={() => router.setParam('new', '*')} text="New scenario" />}
      >
        <ScenarioTabs />
        {(hasOwn || isOwnOnly) && <FilterToggle param="own" text="Your own" />}
      </ViewHead>
      <div class="split">
        <div class="split-list scenarios-list">
          <OneLine />
          {active.length > 1 && <ScenarioOrder library={all.value.value ?? []} />}
          <div
            {...roving}
            data-list
            tabIndex={-1}
            onKeyDown={(event) =>
              /^Arrow(Left|Right)$/.test(event.key)
                ? roving.onKeyDown(event)
                : moveFocus(event, '.scenario', '.scenario-open')
            }
          >
            <Loaded resource={found} lines={18}>
              {(scenarios) => showGroups(scenarios.filter(fits))}
            </Loaded>
          </div>
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
    const hasNoOwn = isOwnOnly && search === ''
    if (scenarios.length === 0)
      return (
        <EmptyState title={hasNoOwn ? 'You have no scenarios of your own' : 'No scenario matches'}>
          <p>
            {hasNoOwn
              ? 'Write one here, or start with --scenarios DIR: each YAML file in it is a scenario.'
              : 'All words of a search must be in the name, the title, the tags, the sentences or the options.'}
          </p>
          <Button onClick={() => router.go({ view: 'scenarios' })} text="Show all" />
        </EmptyState>
      )
    const found = groupBy(scenarios, (scenario) => [titleOf(scenario)])
    return [...groups.map(([title]) => title), 'Others'].map((title) => {
      const members = found.get(title)
      if (!members) return null
      return (
        <section key={title} class="section scenarios-group" aria-label={title}>
          <h2>
            {title} <span class="count">{members.length}</span>
          </h2>
          <ul class="columns">
            {members.map((scenario) => (
              <Card
                key={scenario.name}
                scenario={scenario}
                choice={active.find((choice) => nameOfChoice(choice) === scenario.name)}
                isOpen={scenario.name === opened}
                onOpen={() => open(scenario.name)}
              />
            ))}
          </ul>
        </section>
      )
    })
  }
}

function pressSwitch(): void {
  focusedElement()?.closest('.scenario, .scenario-detail')?.querySelector<HTMLButtonElement>('[role=switch]')?.click()
}

/** The groups, with their tags. A scenario belongs to the first one that has one of its tags. */
const groups: readonly (readonly [title: string, ...tags: string[]])[] = [
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

function titleOf({ tags }: ScenarioSummary): string {
  const found = groups.find(([, ...known]) => known.some((tag) => tags.includes(tag)))
  return found?.[0] ?? (tags.some((tag) => /^[45]\d\d$/.test(tag)) ? 'Errors' : 'Others')
}

/** Switches a scenario on by a line of text, for those who know its name. */
function OneLine() {
  const panel = usePanel()
  const line = useSignal('')
  const use = async () => {
    await switchOn(panel, toNotation(line.peek()))
    line.value = ''
  }
  return (
    <form
      class="line below scenario-line"
      onSubmit={(event) => {
        event.preventDefault()
        void attempt(use)
      }}
    >
      <input
        class="input mono"
        required
        aria-label="Switch on in one line"
        placeholder="expired-key where account=acct_lite times=3"
        autocomplete="off"
        spellcheck={false}
        value={line.value}
        onInput={(event) => (line.value = event.currentTarget.value)}
      />
      <Button type="submit" text="Use" />
    </form>
  )
}

function ScenarioOrder({ library }: { readonly library: readonly ScenarioSummary[] }) {
  const panel = usePanel()
  const active = panel.world.active.value
  const announcement = useSignal('')
  const { ref, ...roving } = useRoving<HTMLOListElement>('a, button:enabled')

  const moveTo = async (from: number, to: number) => {
    await move(panel, from, to)
    announcement.value = `${labelOfChoice(active[from]!, active)} is now ${to + 1} of ${active.length}`
  }
  return (
    <section class="section scenarios-order" aria-labelledby="scenarios-order">
      <h2 id="scenarios-order">Order</h2>
      <p class="muted">
        Each acts on the result of the one before it. When two decide the same thing, the last one wins. Moving one
        starts its counters again.
      </p>
      <ol ref={ref} {...roving}>
        {[...choicesByKey(active)].map(([key, choice], index) => {
          const label = labelOfChoice(choice, active)
          const [name, options] = splitChoice(choice, library)
          return (
            <li key={key} class="line">
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
                <Button
                  icon="chevron"
                  label={`Move ${label} up`}
                  disabled={index === 0}
                  onClick={() => moveTo(index, index - 1)}
                />
              </span>
              <Button
                icon="chevron"
                label={`Move ${label} down`}
                disabled={index === active.length - 1}
                onClick={() => moveTo(index, index + 1)}
              />
              <Button
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
      <p class="row muted breaks">
        <code>{name}</code>
        {changed && <code class="scenario-changed">{changed.replaceAll(',', ' ')}</code>}
        <MswMark scenario={scenario} />
        {!bundled && <Tag title={file ?? 'It was passed to createGreenhouse in code.'}>{file ?? 'from code'}</Tag>}
      </p>
      <p class="scenario-sentence muted">{description}</p>
    </li>
  )
}
