import { toast } from '../../components/index.ts'
import { nameOfChoice } from '../../data/choice.ts'
import type { Panel } from '../../data/panel.ts'
import type { ScenarioChoice } from '../../data/shapes.ts'

/** The last change of what is active: the next one begins with what it left. */
let last: Promise<unknown> = Promise.resolve()

/** Changes what is active in the world that is shown, and tells so where there is something to tell. @throws ApiFailure */
export function changeActive(
  { api, world }: Panel,
  change: (active: readonly ScenarioChoice[]) => readonly ScenarioChoice[],
  text?: string,
): Promise<void> {
  const name = world.name.peek()
  const work = last.then(async () => {
    const before = world.active.peek()
    const use = async (choices: readonly ScenarioChoice[]) => world.takeActive(await api.useScenarios(name, choices))
    await use(change(before))
    if (text !== undefined) toast({ text, undo: () => use(before) })
  })
  last = work.catch(() => undefined)
  return work
}

/** Switches a scenario on after the others; one that is on stays where it is, with the options of `choice`. */
export function switchOn(panel: Panel, choice: ScenarioChoice): Promise<void> {
  const name = nameOfChoice(choice)
  const isOn = (one: ScenarioChoice) => nameOfChoice(one) === name
  return changeActive(
    panel,
    (active) => (active.some(isOn) ? active.map((one) => (isOn(one) ? choice : one)) : [...active, choice]),
    `${name} is active`,
  )
}

export function switchOff(panel: Panel, name: string): Promise<void> {
  return changeActive(panel, (active) => active.filter((one) => nameOfChoice(one) !== name), `Switched off ${name}`)
}

/** Puts the scenario at one place at another. */
export function move(panel: Panel, from: number, to: number): Promise<void> {
  return changeActive(panel, (active) => {
    const rest = active.toSpliced(from, 1)
    return rest.toSpliced(to, 0, active[from]!)
  })
}
