import { focusedElement } from '../../data/surface.ts'
import {
  Button,
  EmptyState,
  FilterToggle,
  Loaded,
  moveFocus,
  useActions,
  useEscape,
  useKeys,
  ViewHead,
} from '../../components/index.ts'
import { nameOfChoice } from '../../data/choice.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { ScenarioSummary } from '../../data/shapes.ts'
import { ProblemsBar } from '../../frame/problems.tsx'
import { Card } from './card.tsx'
import { ScenarioDetail } from './detail.tsx'
import { toGroups } from './groups.ts'
import { clearedOptionParams } from './option-texts.ts'
import { ScenarioOrder } from './order.tsx'

export default function Scenarios() {
  const panel = usePanel()
  const { api, router, world } = panel
  const { params, rest } = router.route.value
  const search = params['search'] ?? ''
  const all = useResource(() => api.scenarios(), [])
  const found = useResource(() => api.scenarios(search), [search])
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
        {(hasOwn || isOwnOnly) && <FilterToggle param="own">Your own</FilterToggle>}
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
          <Button onClick={() => router.go({ view: 'scenarios' })}>Show all</Button>
        </EmptyState>
      )
    return (
      <>
        {toGroups(shown).map(({ title, scenarios: members }) => (
          <section key={title} class="section scenarios-group" aria-label={title}>
            <h2>
              {title} <span class="count">{members.length}</span>
            </h2>
            <ul class="scenarios-cards">
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
