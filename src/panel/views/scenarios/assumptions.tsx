import { useEffect } from 'preact/hooks'
import { Button } from '../../components/controls.tsx'
import { Link, ViewHead, type ViewHeadProps } from '../../components/layout.tsx'
import { moveFocus } from '../../components/lists.tsx'
import { EmptyState, Loaded } from '../../components/content.tsx'
import { change } from '../../components/toast.tsx'
import { groupBy, toPlural, toSearch } from '../../components/words.ts'
import { usePanel, useResource } from '../../data/panel.ts'
import type { AssumptionSummary, Texts } from '../../data/control.ts'
import { surfaceRoot } from '../../data/surface.ts'

const sources: Record<AssumptionSummary['source'], string> = {
  stated: 'The reference says it.',
  published: 'A public description of the same sample interface says it.',
  convention: 'Well-known APIs do it.',
  ours: 'A choice of Greenhouse.',
}

export default function AssumptionList({ parts }: { parts: ViewHeadProps['parts'] }) {
  const { router } = usePanel()
  const { search = '', assumption: target } = router.params
  const { loaded, switched, assume, reset } = useAssumptions()
  const isLoaded = loaded.value !== undefined
  useEffect(() => {
    if (target !== undefined && isLoaded)
      surfaceRoot().getElementById(`assumption-${target}`)?.scrollIntoView({ block: 'center' })
  }, [target, isLoaded])

  const list = loaded.value ?? []
  const isFound = toSearch(search)
  const shown = list.filter(
    ({ id, question, values, source }) =>
      id === target || isFound(`${id} ${question} ${values.join(' ')} ${source}`),
  )
  return (
    <>
      <ViewHead
        title="Assumptions"
        of="Scenarios"
        parts={parts}
        search={{ label: 'Search assumptions', placeholder: 'delete, order' }}
        count={{ shown: isLoaded ? shown.length : undefined, all: list.length, item: 'assumption' }}
        actions={switched.length > 0 && <Button icon="undo" onClick={reset} text="Reset all" />}
      />
      <Loaded resource={loaded}>
        {() => (
          <div data-list tabIndex={-1} onKeyDown={moveByKey}>
            {shown.length === 0 && (
              <EmptyState
                title="No assumption matches"
                text="All words of a search must be in the id, the question, the values or the source."
                action="Show all"
                onAction={() => router.setParam('search')}
              />
            )}
            {groupAssumptions(shown).map(([title, members]) => (
              <section key={title} class="section" aria-label={title}>
                <h2 class="assumption-title">{title}</h2>
                <ul>
                  {members.map((one) => (
                    <Assumption key={one.id} of={one} isOpen={one.id === target} assume={assume} />
                  ))}
                </ul>
              </section>
            ))}
          </div>
        )}
      </Loaded>
    </>
  )
}

/** The assumptions of the world that is shown, and ways to change them. */
function useAssumptions() {
  const panel = usePanel()
  const { control } = panel
  const loaded = useResource(
    async () => {
      const [{ data }, values] = await Promise.all([
        control.call('GET /assumptions'),
        control.call('GET /worlds/{world}/assumptions'),
      ])
      return data.map((one) => ({
        ...one,
        value: (values as Texts)[one.id] ?? '',
      }))
    },
    [],
    ['assumptions', 'scenarios'],
  )
  const switched = (loaded.value ?? []).filter(isSwitched)
  const assume = async (wanted: Texts, text: string) => {
    const now = await change(panel, text, (control) =>
      control.call('PATCH /worlds/{world}/assumptions', wanted),
    )
    loaded.reload()
    assertNotHeld(wanted, now)
  }
  const reset = () => {
    const defaults = Object.fromEntries(switched.map(({ id, values: [first] }) => [id, first]))
    return assume(defaults, `Reset ${toPlural(switched.length, 'assumption')}`)
  }
  return {
    loaded,
    switched,
    assume,
    reset,
  }
}

/** @throws Error if an active scenario holds an assumption at another value than the wanted one */
function assertNotHeld(wanted: Texts, now: Texts) {
  const held = Object.keys(wanted).filter((id) => now[id] !== wanted[id])
  if (held.length === 0) return
  const sets = held.map((id) => `${id} to ${now[id]}`).join(', ')
  throw new Error(`An active scenario sets ${sets}. Switch the scenario off first.`)
}

type Assumed = AssumptionSummary & { value: string }

/** The switched ones are the first group. The assumptions of a group keep their order. */
function groupAssumptions(all: readonly Assumed[]) {
  const switched = all.filter(isSwitched)
  const others = all.filter((one) => !isSwitched(one))
  const groups = [...groupBy(others, ({ id }) => id.replace(/\..*/, ''))]
  if (switched.length > 0) return [['switched', switched] as const, ...groups]
  return groups
}

type AssumptionProps = {
  of: Assumed
  isOpen: boolean
  assume: (wanted: Texts, text: string) => Promise<void>
}

function Assumption({ of, isOpen, assume }: AssumptionProps) {
  const { id, question, values, source, value } = of
  return (
    <li id={`assumption-${id}`} class="assumption" aria-current={isOpen || undefined}>
      <div class="breaks">
        <p>{question}</p>
        <code class="muted">{id}</code>
      </div>
      <div class="row tight" role="group" aria-label={`Answer of ${id}`}>
        {values.map((one, index) => (
          <Button
            key={one}
            pressed={one === value}
            title={index === 0 ? `${one}, the default` : one}
            onClick={() => one !== value && assume({ [id]: one }, `${id} is ${one}`)}
            text={one}
          />
        ))}
      </div>
      <span class="muted" title={sources[source]}>
        {source}
      </span>
      <Link
        to={{ view: 'traffic', params: { assumption: id } }}
        aria-label={`Requests that depended on ${id}`}
        text="Requests"
      />
    </li>
  )
}

const moveByKey = (event: KeyboardEvent) =>
  moveFocus(event, '.assumption', '[aria-pressed=true], a, button')

const isSwitched = ({ value, values }: { value: string; values: readonly string[] }) =>
  value !== values[0]
