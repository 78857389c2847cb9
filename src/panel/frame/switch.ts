import type { ControlApi } from '../../control/client/control-api.ts'
import { change } from '../components/toast.tsx'
import { toPlural } from '../components/words.ts'
import { type ActiveEntry, nameOfChoice } from '../data/choice.ts'
import type { Panel } from '../data/panel.ts'
import type { PanelChoice } from '../data/shapes.ts'

/**
 * Switches a scenario on, after the others. One that is on keeps its position and gets the options of `choice`; if it is on
 * twice, the first does. @param text what the toast says. @throws CallError
 */
export async function switchOn(
  panel: Panel,
  choice: PanelChoice,
  text = `${nameOfChoice(choice)} is active`,
): Promise<void> {
  const all = panel.world.active.peek()
  const found = all.findIndex(({ name }) => name === nameOfChoice(choice))
  const place = found < 0 ? undefined : found
  await apply(panel, text, toChoices(all).toSpliced(place ?? all.length, 1, choice), put(choice, place))
}

export async function switchOff(panel: Panel, name: string): Promise<void> {
  const others = panel.world.active.peek().filter((one) => one.name !== name)
  await apply(panel, `Switched off ${name}`, toChoices(others), remove(name))
}

/** Switches off the scenario at a position. @throws CallError */
export async function switchOffAt(panel: Panel, index: number): Promise<void> {
  const all = panel.world.active.peek()
  const { id, name } = all[index]!
  await apply(panel, `Switched off ${name}`, toChoices(all.toSpliced(index, 1)), remove(id))
}

export async function switchAllOff(panel: Panel): Promise<void> {
  const { length } = panel.world.active.peek()
  const text = length === 0 ? 'No scenario was active' : `Switched off ${toPlural(length, 'scenario')}`
  await apply(panel, text, [], (control) => control.call('DELETE /worlds/{world}/scenarios'))
}

/** Moves a scenario to another position; it then counts from 0. */
export async function move(panel: Panel, from: number, to: number): Promise<void> {
  const all = panel.world.active.peek()
  const one = all[from]!
  const moved = toChoices(all.toSpliced(from, 1).toSpliced(to, 0, one))
  await apply(panel, `${one.name} is now ${to + 1} of ${all.length}`, moved, put(one.choice, to))
}

type Work = (control: ControlApi) => Promise<unknown>

/**
 * Makes a change that leads to `next`. The server switches by name, which means both of the same: where one is on twice, all
 * are replaced, and count from 0.
 */
async function apply(panel: Panel, text: string, next: readonly PanelChoice[], work: Work): Promise<void> {
  const active = panel.world.active.peek()
  const isOnTwice = new Set(active.map(({ name }) => name)).size < active.length
  await change(panel, text, async (control) => {
    if (isOnTwice) await control.call('PUT /worlds/{world}/scenarios', { body: { active: next } })
    else await work(control)
    await panel.world.refresh()
  })
}

const toChoices = (active: readonly ActiveEntry[]): readonly PanelChoice[] => active.map(({ choice }) => choice)

/** @param place from 0; by default, after the others, which keep their counts */
function put(choice: PanelChoice, place?: number): Work {
  return (control) => control.call('POST /worlds/{world}/scenarios', { body: { active: [choice], place } })
}

function remove(scenario: string): Work {
  return (control) => control.call('DELETE /worlds/{world}/scenarios/{scenario}', { path: { scenario } })
}
