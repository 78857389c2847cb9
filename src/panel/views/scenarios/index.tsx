import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Button, Switch } from '../../components/controls.tsx'
import { useCommands } from '../../components/keys.ts'
import { Link, NavList, ViewHead } from '../../components/layout.tsx'
import { moveFocus, useRoving } from '../../components/lists.tsx'
import { Tag } from '../../components/marks.tsx'
import { EmptyState, lazy, Loaded } from '../../components/content.tsx'
import { groupBy } from '../../components/words.ts'
import { changedOptions } from '../../data/choice.ts'
import { useAnswer, usePanel } from '../../data/panel.ts'
import type { ScenarioSummary } from '../../data/control.ts'
import { focusedElement, surfaceRoot } from '../../data/surface.ts'
import { switchOff, switchOn } from '../../frame/world-actions.ts'
import { MswMark, ScenarioDetail } from './detail.tsx'

const AssumptionList = lazy(() => import('./assumptions.tsx'))
const NewScenario = lazy(() => import('./new.tsx'))

export default function Scenarios() {
  const { router } = usePanel()
  const { tab, new: made } = router.params
  if (tab === 'assumptions') return <AssumptionList parts={toParts(tab)} />
  return made === undefined ? <ScenarioList /> : <NewScenario />
}

/** A search of one is none of the other. */
const toParts = (shown?: string) =>
  [undefined, 'assumptions'].map((tab) => ({
    title: tab === undefined ? 'Library' : 'Assumptions',
    to: {
      view: 'scenarios',
      params: { tab },
    },
    isShown: tab === shown,
  }))

function ScenarioList() {
  const { router } = usePanel()
  const { params, rest } = router.route.value
  const [opened] = rest
  const all = useAnswer('GET /scenarios')
  const found = useAnswer('GET /scenarios', { search: params['search'] ?? '' })
  const shown = found.value?.data ?? []
  const close = () => router.go({ rest: [] }, true)
  useCommands([
    {
      keys: 'x',
      title: 'Switch the focused scenario on or off',
      run: pressSwitch,
    },
  ])
  return (
    <>
      <ViewHead
        title="Scenarios"
        parts={toParts()}
        search={{ label: 'Search scenarios', placeholder: '429, retry, slow' }}
        count={{
          shown: found.value?.data.length,
          all: all.value?.data.length,
          item: 'scenario',
        }}
        actions={
          <Button icon="plus" onClick={() => router.setParam('new', '*')} text="New scenario" />
        }
      />
      <div class="split">
        {shown.length > 0 && opened === undefined && <Index scenarios={shown} />}
        <div class="split-list scenarios-list">
          <ByKeys>
            <Loaded resource={found}>{({ data }) => <Groups scenarios={data} />}</Loaded>
          </ByKeys>
        </div>
        {opened !== undefined && (
          <Loaded resource={all}>
            {({ data }) => {
              const scenario = data.find(({ name }) => name === opened)
              return (
                <ScenarioDetail key={opened} name={opened} scenario={scenario} onClose={close} />
              )
            }}
          </Loaded>
        )}
      </div>
    </>
  )
}

/** Moves along a row by the arrows left and right, between rows by those up and down. */
function ByKeys({ children }: { children: ComponentChildren }) {
  const roving = useRoving<HTMLDivElement>('.scenario-open, .scenario .switch')
  const onKeyDown = (event: KeyboardEvent) => {
    if (/^Arrow(Left|Right)$/.test(event.key)) return roving.onKeyDown(event)
    return moveFocus(event, '.scenario', '.scenario-open')
  }
  return (
    <div {...roving} data-list tabIndex={-1} onKeyDown={onKeyDown}>
      {children}
    </div>
  )
}

type ScenariosProps = { scenarios: readonly ScenarioSummary[] }

function Groups({ scenarios }: ScenariosProps) {
  const { router } = usePanel()
  if (scenarios.length === 0)
    return (
      <EmptyState
        title="No scenario matches"
        text="All words of a search must be in the name, the title, the tags, the sentences or the options."
        action="Show all"
        onAction={() => router.go({ view: 'scenarios' })}
      />
    )
  return groupScenarios(scenarios).map(([title, members]) => (
    <section key={title} class="section scenarios-group" id={groupId(title)} aria-label={title}>
      <h2>
        {title} <small>{members.length}</small>
      </h2>
      <ul>
        {members.map((scenario) => (
          <Card key={scenario.name} scenario={scenario} />
        ))}
      </ul>
    </section>
  ))
}

function pressSwitch() {
  focusedElement()
    ?.closest('.scenario, .split-detail')
    ?.querySelector<HTMLButtonElement>('[role=switch]')
    ?.click()
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

/** The groups that have scenarios: errors first, because most people look for one. */
function groupScenarios(scenarios: readonly ScenarioSummary[]) {
  const found = groupBy(scenarios, groupOf)
  const titles = [
    'Errors',
    ...groups.map(([title]) => title).filter((title) => title !== 'Errors'),
    'Others',
  ]
  return titles.flatMap((title) => {
    const members = found.get(title)
    return members ? [[title, members] as const] : []
  })
}

const groupId = (title: string) => `scenarios-${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`

/** The groups of the list: each leads to its own. */
function Index({ scenarios }: ScenariosProps) {
  const { router } = usePanel()
  const chosen = router.params['group']
  useEffect(() => {
    if (chosen !== undefined)
      surfaceRoot().getElementById(groupId(chosen))?.scrollIntoView({ block: 'start' })
  }, [chosen])
  const items = groupScenarios(scenarios).map(([title, { length }]) => ({
    id: title,
    title,
    note: length,
    to: { params: { group: title } },
  }))
  return <NavList label="Groups" kind="scenario-index" chosen={chosen} items={items} />
}

function groupOf({ tags }: ScenarioSummary): string {
  const found = groups.find(([, ...known]) => known.some((tag) => tags.includes(tag)))
  return found?.[0] ?? (tags.some((tag) => /^[45]\d\d$/.test(tag)) ? 'Errors' : 'Others')
}

function Card({ scenario }: { scenario: ScenarioSummary }) {
  const panel = usePanel()
  const { name, title, description, bundled, file, rejected } = scenario
  const sentence = rejected === undefined ? description : `Rejected here: ${rejected}`
  const turn = (on: boolean) => (on ? switchOn(panel, { name }) : switchOff(panel, name))
  const active = panel.world.active.value.find((one) => one.name === name)
  const changed = active && changedOptions(active, [scenario])
  return (
    <li
      class={`scenario ${active ? 'scenario-on' : ''}`}
      data-rejected={rejected !== undefined || undefined}
      aria-current={panel.router.route.value.rest[0] === name || undefined}
    >
      <div>
        <h3>
          <Link class="scenario-open" to={{ rest: [name] }} text={title} />
        </h3>
        <p class="row tight muted breaks">
          <code>{name}</code>
          {changed && <code class="scenario-changed">{changed}</code>}
          <MswMark scenario={scenario} />
          {!bundled && (
            <Tag
              title={file ?? 'It was passed to createGreenhouse in code.'}
              text={file ?? 'from code'}
            />
          )}
        </p>
      </div>
      <p class="scenario-sentence muted is-extra" title={sentence}>
        {sentence}
      </p>
      <Switch label={name} on={active !== undefined} rejected={rejected} onChange={turn} />
    </li>
  )
}
