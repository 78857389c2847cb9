import { useComputed } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Button, IconButton } from '../../components/controls.tsx'
import { useActions } from '../../components/keys.ts'
import { FilterSelect, FilterToggle, Link, ViewHead } from '../../components/layout.tsx'
import { moveFocus } from '../../components/lists.tsx'
import { Tag } from '../../components/marks.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { toast } from '../../components/toast.tsx'
import { groupBy, toPlural, toSearch } from '../../components/words.ts'
import { changeAssumptions } from '../../data/control.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { AssumptionSummary, RequestEvent } from '../../data/shapes.ts'
import { surfaceRoot } from '../../data/surface.ts'
import { trafficLogOf } from '../traffic/log.ts'

export default function Assumptions() {
  const panel = usePanel()
  const { control, router, world } = panel
  const name = world.name.value
  const { params, rest } = router.route.value
  const { search = '', source = '', leaned } = params
  const all = useResource(async () => (await control.call('GET /assumptions')).data, [])
  const values = useResource(
    () => control.call('GET /worlds/{world}/assumptions'),
    [name],
    ['assumptions', 'scenarios'],
  )
  const log = useMemo(() => trafficLogOf(panel), [panel])
  const requests = useComputed(() =>
    groupBy(log.entries.value.slice(0, recentRequestLimit), ({ assumptions }) => assumptions),
  )
  const currentValues: Readonly<Record<string, string>> = values.value.value ?? {}
  const list = all.value.value ?? []
  const switched = values.value.value
    ? list.filter((one) => one.values[0] !== currentValues[one.id]).map(({ id }) => id as string)
    : []

  /** Sets assumptions. @throws Error if an active scenario holds one at another value */
  const assume = async (wanted: Readonly<Record<string, string>>, text: string) => {
    const { now, undo } = await changeAssumptions(control, name, wanted)
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
        actions={switched.length > 0 && <Button icon="undo" onClick={reset} text="Reset all" />}
      >
        <FilterSelect
          param="source"
          label="Source of the default"
          any="Any source"
          options={sources.map(({ id, title }) => ({ value: id, title }))}
        />
        <FilterToggle param="leaned" title="Assumptions that the last requests depended on" text="In use" />
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
        <Button onClick={() => router.go({ view: 'assumptions' })} text="Show all" />
      </EmptyState>
    )
  }
}

function toAreas(list: readonly AssumptionSummary[]) {
  return [...groupBy(list, ({ id }) => [toTitle(id.split('.', 1)[0]!)])]
}

function toTitle(word: string): string {
  if (/^(http|cors|ids?)$/.test(word)) return word.toUpperCase()
  return (word[0]!.toUpperCase() + word.slice(1)).replaceAll('-', ' ')
}

const linked = 3

interface RowProps {
  readonly assumption: AssumptionSummary
  readonly value: string
  readonly requests: readonly RequestEvent[] | undefined
  readonly isTarget: boolean
  readonly onChoose: (value: string) => Promise<void>
}

function AssumptionRow({ assumption, value, requests = [], isTarget, onChoose }: RowProps) {
  const { id, question, values, source } = assumption
  const { title, meaning } = sources.find((one) => one.id === source)!
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
      <span class="muted" title={meaning}>
        {title}
      </span>
      <Requests id={id} requests={requests} />
    </li>
  )
}

function Requests({ id, requests }: { readonly id: string; readonly requests: readonly RequestEvent[] }) {
  if (requests.length === 0) return <span class="assumption-requests inline-list" />
  const { length } = requests
  return (
    <span class="assumption-requests inline-list">
      <Link
        to={{ view: 'traffic', params: { assumption: id } }}
        title={`Of the last ${recentRequestLimit} requests`}
        aria-label={`${toPlural(length, 'request')} depended on ${id}`}
      >
        {toPlural(length, 'request')}
      </Link>
      {requests.slice(0, linked).map((entry) => (
        <Link
          key={entry.id}
          class="mono"
          to={{ view: 'traffic', rest: [String(entry.id)], params: { assumption: id } }}
          title={`${entry.request.method} ${entry.request.url}`}
          aria-label={`Request ${entry.id}: ${entry.request.method} ${entry.request.url}`}
        >
          #{entry.id}
        </Link>
      ))}
    </span>
  )
}

const sources: readonly {
  readonly id: AssumptionSummary['source']
  readonly title: string
  readonly meaning: string
}[] = [
  { id: 'stated', title: 'Stated', meaning: 'The reference says it.' },
  { id: 'published', title: 'Published', meaning: 'A public description of the same sample interface says it.' },
  { id: 'convention', title: 'Convention', meaning: 'Well-known APIs do it.' },
  { id: 'ours', title: 'Ours', meaning: 'A choice of Greenhouse.' },
]

const recentRequestLimit = 200
