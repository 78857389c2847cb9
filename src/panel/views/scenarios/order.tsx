import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { attempt, Icon, IconButton, Link } from '../../components/index.ts'
import { choicesByKey, isInlineChoice, labelOfChoice, toChoiceText, withoutDefaults } from '../../data/choice.ts'
import { usePanel } from '../../data/panel.ts'
import type { ScenarioSummary } from '../../data/shapes.ts'
import { move, switchOffAt } from '../../frame/switch.ts'

export function ScenarioOrder({ library }: { readonly library: readonly ScenarioSummary[] }) {
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
        {[...choicesByKey(active)].map(([key, choice], place) => {
          const label = labelOfChoice(choice, active)
          const [name, options] = isInlineChoice(choice)
            ? [label]
            : toChoiceText(withoutDefaults(choice, library)).split(/:(.*)/s)
          return (
            <li
              key={key}
              draggable
              class={`line ${over.value === place && dragged.value !== place ? 'scenarios-over' : ''}`}
              onDragStart={(event) => {
                dragged.value = place
                event.dataTransfer?.setData('text/plain', toChoiceText(choice))
              }}
              onDragOver={(event) => {
                if (dragged.value === undefined) return
                event.preventDefault()
                over.value = place
              }}
              onDrop={(event) => {
                event.preventDefault()
                if (dragged.value !== undefined) moveTo(dragged.value, place)
              }}
              onDragEnd={() => (dragged.value = over.value = undefined)}
            >
              <button
                type="button"
                class="icon-button scenarios-handle"
                data-handle={place}
                aria-label={`Move ${label}, ${place + 1} of ${active.length}: arrow keys`}
                title="Drag, or arrow keys"
                onKeyDown={(event) => {
                  const to = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 0, End: active.length - 1 }[event.key]
                  if (to === undefined) return
                  event.preventDefault()
                  event.stopPropagation()
                  moved.current = to
                  moveTo(place, to)
                }}
              >
                <Icon name="menu" />
              </button>
              <span class="muted">{place + 1}</span>
              {isInlineChoice(choice) ? (
                <span class="breaks">{name}</span>
              ) : (
                <Link class="breaks" to={{ rest: [name!] }}>
                  {name}
                </Link>
              )}
              {options && <span class="muted clip">{options.replaceAll(',', ' ')}</span>}
              <span class="spacer" />
              <span class="upside-down">
                <IconButton
                  icon="chevron"
                  label={`Move ${label} up`}
                  disabled={place === 0}
                  onClick={() => moveTo(place, place - 1)}
                />
              </span>
              <IconButton
                icon="chevron"
                label={`Move ${label} down`}
                disabled={place === active.length - 1}
                onClick={() => moveTo(place, place + 1)}
              />
              <IconButton
                icon="close"
                label={`Switch off ${label} here`}
                onClick={() => switchOffAt(panel, place, choice)}
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
