import { toast, toPlural } from '../components/index.ts'
import { changeActive, indexOfChoice } from '../data/active.ts'
import { nameOfChoice } from '../data/choice.ts'
import { isSameJson } from '../data/json.ts'
import type { Panel } from '../data/panel.ts'
import type { PanelChoice } from '../data/shapes.ts'

/**
 * Switches a scenario on, after the others. One that is on keeps its position and gets the options of `choice`; if it is on
 * twice, the first does. @param text what the toast says. @throws ApiFailure
 */
export async function switchOn(
  panel: Panel,
  choice: PanelChoice,
  text = `${nameOfChoice(choice)} is active`,
): Promise<void> {
  const undo = await changeActive(panel, (active) => {
    const index = indexOfChoice(active, choice)
    return active.toSpliced(index < 0 ? active.length : index, 1, choice)
  })
  toast({ text, undo })
}

export async function switchOff(panel: Panel, name: string): Promise<void> {
  const undo = await changeActive(panel, (active) => active.filter((one) => nameOfChoice(one) !== name))
  toast({ text: `Switched off ${name}`, undo })
}

/** Switches off the scenario at a position. If the list has changed since, its position is found again. @throws ApiFailure */
export async function switchOffAt(panel: Panel, index: number, choice: PanelChoice): Promise<void> {
  const isSame = (one: PanelChoice | undefined) => isSameJson(one, choice)
  const undo = await changeActive(panel, (active) => {
    const positions = [isSame(active[index]) ? index : -1, active.findIndex(isSame), indexOfChoice(active, choice)]
    const found = positions.find((one) => one >= 0)
    return active.filter((_, index) => index !== found)
  })
  toast({ text: `Switched off ${nameOfChoice(choice)}`, undo })
}

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

export async function move(panel: Panel, from: number, to: number): Promise<void> {
  await changeActive(panel, (active) => {
    const rest = active.toSpliced(from, 1)
    return rest.toSpliced(to, 0, active[from]!)
  })
}
