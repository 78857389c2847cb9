import { attempt, Button, IconButton, Link } from '../components/index.ts'
import { usePanel } from '../data/panel.ts'
import {
  choicesByKey,
  isInlineChoice,
  labelOfChoice,
  nameOfChoice,
  toChoiceText,
  withoutDefaults,
} from '../data/choice.ts'
import { useResource } from '../data/resource.ts'
import { switchAllOff, switchOffAt } from './switch.ts'

export function ActiveBar() {
  const { world } = usePanel()
  return world.active.value.length === 0 ? null : <Active />
}

const whyUsedUp = 'It has acted as often as it may. Switch it off and on to begin anew.'

function Active() {
  const panel = usePanel()
  const { api, world } = panel
  const active = world.active.value
  const library = useResource(() => api.scenarios(), []).value.value ?? []
  return (
    <section class="active-bar line" aria-label="Active scenarios">
      <span class="active-title muted">active</span>
      <ul>
        {[...choicesByKey(active)].map(([key, choice], place) => {
          const text = toChoiceText(choice)
          const [scenario, options] = isInlineChoice(choice)
            ? [text]
            : toChoiceText(withoutDefaults(choice, library)).split(/:(.*)/s)
          return (
            <li key={key} class="active-scenario line" title={text}>
              {isInlineChoice(choice) ? (
                <span>{scenario}</span>
              ) : (
                <Link to={{ view: 'scenarios', rest: [scenario!] }}>{scenario}</Link>
              )}
              {options && <span class="active-options muted clip">{options.replaceAll(',', ' ')}</span>}
              {world.usedUp.value.includes(nameOfChoice(choice)) && (
                <span class="active-options muted clip" title={whyUsedUp}>
                  used up
                </span>
              )}
              <IconButton
                icon="close"
                label={`Switch off ${labelOfChoice(choice, active)}`}
                onClick={() => attempt(() => switchOffAt(panel, place, choice))}
              />
            </li>
          )
        })}
      </ul>
      <Button kind="quiet" onClick={() => attempt(() => switchAllOff(panel))}>
        clear all
      </Button>
    </section>
  )
}
