import { toast, toPlural } from '../components/index.ts'
import { changeActive } from '../data/active.ts'
import { nameOfChoice } from '../data/choice.ts'
import type { Panel } from '../data/panel.ts'
import type { PanelChoice } from '../data/shapes.ts'

/** Switches a scenario on, after the others. One that is on keeps its position and gets the options of `choice`. @throws ApiFailure */
export async function switchOn(panel: Panel, choice: PanelChoice): Promise<void> {
  const name = nameOfChoice(choice)
  const isOn = (one: PanelChoice) => nameOfChoice(one) === name
  const undo = await changeActive(panel, (active) =>
    active.some(isOn) ? active.map((one) => (isOn(one) ? choice : one)) : [...active, choice],
  )
  toast({ text: `${name} is active`, undo })
}

/** Switches a scenario off. @throws ApiFailure */
export async function switchOff(panel: Panel, name: string): Promise<void> {
  const undo = await changeActive(panel, (active) => active.filter((one) => nameOfChoice(one) !== name))
  toast({ text: `Switched off ${name}`, undo })
}

/** Switches all scenarios off. @throws ApiFailure */
export async function switchAllOff(panel: Panel): Promise<void> {
  let count = 0
  const undo = await changeActive(panel, ({ length }) => {
    count = length
    return []
  })
  toast(
    count === 0 ? { text: 'No scenario was active' } : { text: `Switched off ${toPlural(count, 'scenario')}`, undo },
  )
}

/** Moves a scenario to another position. @throws ApiFailure */
export async function move(panel: Panel, from: number, to: number): Promise<void> {
  await changeActive(panel, (active) => {
    const rest = active.toSpliced(from, 1)
    return rest.toSpliced(to, 0, active[from]!)
  })
}
