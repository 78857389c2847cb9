import { attempt, Button, IconButton, toast, toPlural } from '../components/index.ts'
import { usePanel } from '../data/panel.ts'
import { toChoiceText } from '../data/choice.ts'
import type { ScenarioChoice } from '../data/shapes.ts'

/** What is active in the world, so that nobody wonders why a reply is odd. */
export function ActiveBar() {
  const { api, world, router } = usePanel()
  const active = world.active.value
  if (active.length === 0) return null
  const name = world.name.value
  const use = async (choices: readonly ScenarioChoice[]) => world.takeActive(await api.useScenarios(name, choices))
  const remove = (choice: ScenarioChoice) =>
    attempt(async () => {
      await use(active.filter((one) => one !== choice))
      toast({ text: `Switched off ${toChoiceText(choice)}`, undo: () => use(active) })
    })
  const clear = async () => {
    await use([])
    toast({ text: `Switched off ${toPlural(active.length, 'scenario')}`, undo: () => use(active) })
  }
  return (
    <section class="active-bar" aria-label="Active scenarios">
      <span class="active-title">active</span>
      <ul>
        {active.map((choice) => {
          const text = toChoiceText(choice)
          const [scenario, options] = text.split(/:(.*)/s)
          return (
            <li key={text} class="active-scenario">
              <a href={router.href({ view: 'scenarios', rest: [scenario!] })}>{scenario}</a>
              {options && (
                <span class="active-options" title={options}>
                  {options.replaceAll(';', ' ')}
                </span>
              )}
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
