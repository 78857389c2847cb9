import { attempt, Button, IconButton, toast, toPlural } from '../components/index.ts'
import { changeActive } from '../data/active.ts'
import { usePanel } from '../data/panel.ts'
import { isInline, toChoiceText, withoutDefaults } from '../data/choice.ts'
import { useResource } from '../data/resource.ts'
import type { ScenarioChoice } from '../data/shapes.ts'

/** What is active in the world, so that nobody wonders why a reply is odd. */
export function ActiveBar() {
  const { world } = usePanel()
  return world.active.value.length === 0 ? null : <Active />
}

function Active() {
  const panel = usePanel()
  const { api, world, router } = panel
  const active = world.active.value
  const library = useResource(() => api.scenarios(), []).value.value ?? []
  const remove = (choice: ScenarioChoice) =>
    attempt(async () => {
      const text = toChoiceText(choice)
      const undo = await changeActive(panel, (choices) => choices.filter((one) => toChoiceText(one) !== text))
      toast({ text: `Switched off ${text}`, undo })
    })
  const clear = async () => {
    const undo = await changeActive(panel, () => [])
    toast({ text: `Switched off ${toPlural(active.length, 'scenario')}`, undo })
  }
  return (
    <section class="active-bar" aria-label="Active scenarios">
      <span class="active-title">active</span>
      <ul>
        {active.map((choice) => {
          const text = toChoiceText(choice)
          const [scenario, options] = isInline(choice)
            ? [text]
            : toChoiceText(withoutDefaults(choice, library)).split(/:(.*)/s)
          return (
            <li key={text} class="active-scenario" title={text}>
              {isInline(choice) ? (
                <span>{scenario}</span>
              ) : (
                <a href={router.href({ view: 'scenarios', rest: [scenario!] })}>{scenario}</a>
              )}
              {options && <span class="active-options">{options.replaceAll(';', ' ')}</span>}
              <IconButton icon="close" label={`Switch off ${scenario}`} onClick={() => remove(choice)} />
            </li>
          )
        })}
      </ul>
      <Button kind="quiet" onClick={clear}>
        clear all
      </Button>
    </section>
  )
}
