import { surfaceRoot } from '../../data/surface.ts'
import { useComputed } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import {
  Button,
  EmptyState,
  FilterSelect,
  FilterToggle,
  Loaded,
  moveFocus,
  toast,
  toPlural,
  toSearch,
  useActions,
  ViewHead,
} from '../../components/index.ts'
import { changeAssumptions } from '../../data/assume.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { AssumptionSummary } from '../../data/shapes.ts'
import { trafficLogOf } from '../traffic/log.ts'
import { groupByAssumption } from './leaned-on.ts'
import { AssumptionRow } from './row.tsx'
import { sources } from './sources.ts'

export default function Assumptions() {
  const panel = usePanel()
  const { api, router, world } = panel
  const name = world.name.value
  const { params, rest } = router.route.value
  const { search = '', source = '', leaned } = params
  const all = useResource(() => api.assumptions(), [])
  const values = useResource(() => api.worldAssumptions(name), [name], {
    reloadOn: ['assumptions', 'scenarios'],
  })
  const log = useMemo(() => trafficLogOf(panel), [panel])
  const requests = useComputed(() => groupByAssumption(log.entries.value))
  const currentValues: Readonly<Record<string, string>> = values.value.value ?? {}
  const list = all.value.value ?? []
  const switched = values.value.value
    ? list.filter((one) => one.values[0] !== currentValues[one.id]).map(({ id }) => id as string)
    : []

  /** Sets assumptions. @throws Error if an active scenario holds one at another value */
  const assume = async (wanted: Readonly<Record<string, string>>, text: string) => {
    const { now, undo } = await changeAssumptions(api, name, wanted)
    values.reload()
    const held = Object.entries(wanted).filter(([id, value]) => now[id] !== value)
    if (held.length > 0)
      throw new Error(
        `An active scenario sets ${held.map(([id]) => `${id} to ${now[id]}`).join(', ')}. Switch the scenario off first.`,
      )
    toast({
      text,
      undo: async () => {
        await undo()
        values.reload()
      },
    })
  }
  const defaultsOf = (ids: readonly string[]) =>
    Object.fromEntries(list.filter(({ id }) => ids.includes(id)).map((one) => [one.id, one.values[0]]))
  const reset = () => assume(defaultsOf(switched), `Reset ${toPlural(switched.length, 'assumption')}`)

  useActions(
    switched.length === 0
      ? []
      : [{ id: 'assumptions:reset', title: 'Reset all assumptions', keywords: 'default clear', run: reset }],
    [switched.join(), name],
  )
  const targetId = rest[0]
  const isLoaded = all.value.value !== undefined && values.value.value !== undefined
  useEffect(() => {
    if (targetId !== undefined && isLoaded)
      surfaceRoot().getElementById(`assumption-${targetId}`)?.scrollIntoView({ block: 'center' })
  }, [targetId, isLoaded])

  const isFound = toSearch(search)
  const fits = (one: AssumptionSummary) =>
    isFound(`${one.id} ${one.question} ${one.values.join(' ')}`) &&
    (source === '' || one.source === source) &&
    (leaned !== 'true' || requests.value.has(one.id))
  const shown = list.filter((one) => fits(one) || one.id === targetId)

  return (
    <>
      <ViewHead
        title="Assumptions"
        search={{ label: 'Search assumptions', placeholder: 'delete, order, webhook' }}
        count={{ shown: isLoaded ? shown.length : undefined, all: list.length, item: 'assumption' }}
        actions={
          switched.length > 0 && (
            <Button icon="undo" onClick={reset}>
              Reset all
            </Button>
          )
        }
      >
        <FilterSelect
          param="source"
          label="Source of the default"
          any="Any source"
          options={sources.map(({ id, title }) => ({ value: id, title }))}
        />
        <FilterToggle param="leaned" title="Assumptions that the last requests depended on">
          In use
        </FilterToggle>
      </ViewHead>
      <Loaded resource={all} lines={18}>
        {() => (
          <Loaded resource={values} lines={18}>
            {() =>
              shown.length === 0 ? (
                showNothing()
              ) : (
                <div
                  data-list
                  tabIndex={-1}
                  onKeyDown={(event) => moveFocus(event, '.assumption', '[aria-pressed=true], a, button')}
                >
                  {showSection(
                    'Switched',
                    shown.filter(({ id }) => switched.includes(id)),
                  )}
                  {toAreas(shown.filter(({ id }) => !switched.includes(id))).map(([area, rows]) =>
                    showSection(area, rows),
                  )}
                </div>
              )
            }
          </Loaded>
        )}
      </Loaded>
    </>
  )

  function showSection(title: string, rows: readonly AssumptionSummary[]) {
    if (rows.length === 0) return null
    return (
      <section key={title} class="section" aria-label={title}>
        <h2>{title}</h2>
        <ul>
          {rows.map((one) => (
            <AssumptionRow
              key={one.id}
              assumption={one}
              value={currentValues[one.id]!}
              requests={requests.value.get(one.id)}
              isTarget={one.id === targetId}
              onChoose={(value) => assume({ [one.id]: value }, `${one.id} is ${value}`)}
            />
          ))}
        </ul>
      </section>
    )
  }

  function showNothing() {
    return (
      <EmptyState title="No assumption matches">
        <p>
          {leaned === 'true' && requests.value.size === 0
            ? 'The last requests depended on none. Send more: each entry of Traffic lists its assumptions.'
            : 'All words of a search must be in the id, the question or the values.'}
        </p>
        <Button onClick={() => router.go({ view: 'assumptions' })}>Show all</Button>
      </EmptyState>
    )
  }
}

function toAreas(list: readonly AssumptionSummary[]): [area: string, rows: AssumptionSummary[]][] {
  const areas = new Map<string, AssumptionSummary[]>()
  for (const one of list) {
    const area = toTitle(one.id.split('.', 1)[0]!)
    areas.set(area, [...(areas.get(area) ?? []), one])
  }
  return [...areas]
}

function toTitle(word: string): string {
  if (/^(http|cors|ids?)$/.test(word)) return word.toUpperCase()
  return (word[0]!.toUpperCase() + word.slice(1)).replaceAll('-', ' ')
}
