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
  const active = panel.world.active.peek()
  const index = active.findIndex(({ name }) => name === nameOfChoice(choice))
  const all = active.map((one): PanelChoice => one.choice)
  await apply(panel, text, (control) =>
    isOnTwice(active)
      ? putAll(control, all.toSpliced(index < 0 ? all.length : index, 1, choice))
      : put(control, choice, index),
  )
}

export async function switchOff(panel: Panel, name: string): Promise<void> {
  await apply(panel, `Switched off ${name}`, (control) => remove(control, name))
}

/** Switches off the scenario at a position. @throws CallError */
export async function switchOffAt(panel: Panel, index: number): Promise<void> {
  const active = panel.world.active.peek()
  const { id, name } = active[index]!
  const others = active.toSpliced(index, 1).map(({ choice }) => choice)
  await apply(panel, `Switched off ${name}`, (control) =>
    isOnTwice(active) ? putAll(control, others) : remove(control, id),
  )
}

export async function switchAllOff(panel: Panel): Promise<void> {
  const { length } = panel.world.active.peek()
  const text = length === 0 ? 'No scenario was active' : `Switched off ${toPlural(length, 'scenario')}`
  await apply(panel, text, (control) => control.call('DELETE /worlds/{world}/scenarios'))
}

/** Moves a scenario to another position; it then counts from 0. */
export async function move(panel: Panel, from: number, to: number): Promise<void> {
  const active = panel.world.active.peek()
  const { name, choice } = active[from]!
  const moved = active.toSpliced(from, 1).toSpliced(to, 0, active[from]!)
  await apply(panel, `${name} is now ${to + 1} of ${active.length}`, (control) =>
    isOnTwice(active)
      ? putAll(
          control,
          moved.map((one) => one.choice),
        )
      : put(control, choice, to),
  )
}

async function apply(panel: Panel, text: string, work: (control: ControlApi) => Promise<unknown>): Promise<void> {
  await change(panel, text, async (control) => {
    await work(control)
    await panel.world.refresh()
  })
}

/** The server switches by name, which means both of the same. */
function isOnTwice(active: readonly ActiveEntry[]): boolean {
  return new Set(active.map(({ name }) => name)).size < active.length
}

/** All of them then count from 0. */
async function putAll(control: ControlApi, active: readonly PanelChoice[]): Promise<void> {
  await control.call('PUT /worlds/{world}/scenarios', { body: { active } })
}

/** @param place from 0; the others keep their counts. -1: after the others */
async function put(control: ControlApi, choice: PanelChoice, place: number): Promise<void> {
  const body = { active: [choice], ...(place >= 0 && { place }) }
  await control.call('POST /worlds/{world}/scenarios', { body })
}

async function remove(control: ControlApi, scenario: string): Promise<void> {
  await control.call('DELETE /worlds/{world}/scenarios/{scenario}', { path: { scenario } })
}
