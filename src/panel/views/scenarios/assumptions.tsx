import { useEffect } from 'preact/hooks'
import { Button, IconButton } from '../../components/controls.tsx'
import { useActions } from '../../components/keys.ts'
import { Link, ViewHead } from '../../components/layout.tsx'
import { moveFocus } from '../../components/lists.tsx'
import { Tag } from '../../components/marks.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { change } from '../../components/toast.tsx'
import { groupBy, toPlural, toSearch } from '../../components/words.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { AssumptionSummary } from '../../data/shapes.ts'
import { surfaceRoot } from '../../data/surface.ts'

type Values = Readonly<Record<string, string>>

export function AssumptionList() {
  const panel = usePanel()
  const { control, router, world } = panel
  const { search = '', assumption: target } = router.route.value.params
  const all = useResource(async () => (await control.call('GET /assumptions')).data, [])
  const values = useResource(
    async (): Promise<Values> => control.call('GET /worlds/{world}/assumptions'),
    [world.name.value],
    ['assumptions', 'scenarios'],
  )
  const list = all.value.value ?? []
  const now = values.value.value
  const isSwitched = ({ id, values: [first] }: AssumptionSummary) => now !== undefined && now[id] !== first
  const switched = list.filter(isSwitched)

  /** Sets assumptions. @throws Error if an active scenario holds one at another value */
  const assume = async (wanted: Values, text: string) => {
    const now: Values = await change(panel, text, () =>
      control.call('PATCH /worlds/{world}/assumptions', { body: wanted }),
    )
    values.reload()
    const held = Object.entries(wanted).filter(([id, value]) => now[id] !== value)
    if (held.length > 0)
      throw new Error(
        `An active scenario sets ${held.map(([id]) => `${id} to ${now[id]}`).join(', ')}. Switch the scenario off first.`,
      )
  }
  const reset = () =>
    assume(
      Object.fromEntries(switched.map((one) => [one.id, one.values[0]])),
      `Reset ${toPlural(switched.length, 'assumption')}`,
    )
  useActions(
    switched.length === 0
      ? []
      : [{ id: 'assumptions:reset', title: 'Reset all assumptions', keywords: 'default clear', run: reset }],
    [switched.map(({ id }) => id).join(), world.name.value],
  )
  const isLoaded = all.value.value !== undefined && now !== undefined
  useEffect(() => {
    if (target !== undefined && isLoaded)
      surfaceRoot().getElementById(`assumption-${target}`)?.scrollIntoView({ block: 'center' })
  }, [target, isLoaded])

  const isFound = toSearch(search)
  const fits = ({ id, question, values, source }: AssumptionSummary) =>
    id === target || isFound(`${id} ${question} ${values.join(' ')} ${sources[source].title}`)
  const shown = list.filter(fits)
  const groups = groupBy(shown, (one) => [isSwitched(one) ? 'Switched' : toTitle(one.id.split('.', 1)[0]!)])
  const titles = [...groups.keys()].sort((one, other) => Number(other === 'Switched') - Number(one === 'Switched'))

  return (
    <>
      <ViewHead
        title="Assumptions"
        of="Scenarios"
        search={{ label: 'Search assumptions', placeholder: 'delete, order, webhook' }}
        count={{ shown: isLoaded ? shown.length : undefined, all: list.length, item: 'assumption' }}
        actions={switched.length > 0 && <Button icon="undo" onClick={reset} text="Reset all" />}
      >
        <ScenarioTabs />
      </ViewHead>
      <Loaded resource={all} lines={18}>
        {() => (
          <Loaded resource={values} lines={18}>
            {(now) => (
              <div
                data-list
                tabIndex={-1}
                onKeyDown={(event) => moveFocus(event, '.assumption', '[aria-pressed=true], a, button')}
              >
                {shown.length === 0 && (
                  <EmptyState title="No assumption matches">
                    <p>All words of a search must be in the id, the question, the values or the source.</p>
                    <Button onClick={() => router.setParam('search', undefined)} text="Show all" />
                  </EmptyState>
                )}
                {titles.map((title) => (
                  <section key={title} class="section" aria-label={title}>
                    <h2>{title}</h2>
                    <ul>
                      {groups.get(title)!.map((one) => (
                        <AssumptionRow
                          key={one.id}
                          assumption={one}
                          value={now[one.id]!}
                          isTarget={one.id === target}
                          onChoose={(value) => assume({ [one.id]: value }, `${one.id} is ${value}`)}
                        />
                      ))}
                    </ul>
                  </section>
                ))}
              </div>
            )}
          </Loaded>
        )}
      </Loaded>
    </>
  )
}

/** The tabs of the view. */
export function ScenarioTabs() {
  const { router } = usePanel()
  const chosen = router.route.value.params['tab']
  const tabs = [
    ['Scenarios', undefined],
    ['Assumptions', 'assumptions'],
  ] as const
  return (
    <nav class="tab-list" aria-label="Scenarios and assumptions">
      {tabs.map(([title, tab]) => (
        <a
          key={title}
          class="tab"
          href={router.href({ view: 'scenarios', params: { tab } })}
          aria-current={tab === chosen ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}

function toTitle(word: string): string {
  if (/^(http|cors|ids?)$/.test(word)) return word.toUpperCase()
  return (word[0]!.toUpperCase() + word.slice(1)).replaceAll('-', ' ')
}

interface RowProps {
  readonly assumption: AssumptionSummary
  readonly value: string
  readonly isTarget: boolean
  readonly onChoose: (value: string) => Promise<void>
}

function AssumptionRow({ assumption: { id, question, values, source }, value, isTarget, onChoose }: RowProps) {
  const isSwitched = value !== values[0]
  return (
    <li
      id={`assumption-${id}`}
      class={`assumption ${isSwitched ? 'assumption-switched' : ''}`}
      aria-current={isTarget || undefined}
    >
      <div class="assumption-question breaks">
        <p>{question}</p>
        <code class="muted">{id}</code>
      </div>
      <div class="assumption-answer pair">
        <div class="assumption-values row tight" role="group" aria-label={`Answer of ${id}`}>
          {values.map((one, index) =>
            values.length === 1 ? (
              <Tag key={one} title="It has no other value.">
                {one}
              </Tag>
            ) : (
              <Button
                key={one}
                pressed={one === value}
                title={index === 0 ? `${one}, the default` : one}
                onClick={one === value ? undefined : () => onChoose(one)}
                text={one}
              />
            ),
          )}
        </div>
        {isSwitched && (
          <IconButton icon="undo" label={`Reset ${id} to ${values[0]}`} onClick={() => onChoose(values[0])} />
        )}
      </div>
      <span class="muted" title={sources[source].meaning}>
        {sources[source].title}
      </span>
      <Link to={{ view: 'traffic', params: { assumption: id } }} aria-label={`Requests that depended on ${id}`}>
        Requests
      </Link>
    </li>
  )
}

const sources: Readonly<Record<AssumptionSummary['source'], { readonly title: string; readonly meaning: string }>> = {
  stated: { title: 'Stated', meaning: 'The reference says it.' },
  published: { title: 'Published', meaning: 'A public description of the same sample interface says it.' },
  convention: { title: 'Convention', meaning: 'Well-known APIs do it.' },
  ours: { title: 'Ours', meaning: 'A choice of Greenhouse.' },
}
