import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { actions, findActions, type Action } from '../components/actions.ts'
import { attempt, useModal } from '../components/index.ts'
import { usePanel } from '../data/panel.ts'
import { surfaceRoot } from '../data/surface.ts'
import { readFurtherActions } from './further-actions.ts'
import { openDialog } from './open-dialog.ts'

const most = 60

export function Palette() {
  const panel = usePanel()
  const close = () => void (openDialog.value = undefined)
  const modal = useModal(close)
  const id = useId()
  const search = useSignal('')
  const place = useSignal(0)
  const further = useSignal<readonly Action[]>([])
  const found = useComputed(() =>
    findActions([...actions.value.values(), ...further.value], search.value).slice(0, most),
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
