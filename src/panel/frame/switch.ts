import { toast } from '../components/toast.tsx'
import { toPlural } from '../components/words.ts'
import { choicesByKey, isInlineChoice, nameOfChoice } from '../data/choice.ts'
import { isSameJson } from '../data/json.ts'
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

/** Switches off the scenario at a position. If the list has changed since, its position is found again. @throws CallError */
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

type Choices = readonly PanelChoice[]

/** The last change of the active scenarios: the next one starts from its result. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Changes the active scenarios of the world that is shown, one change after the other. Unchanged scenarios keep their counts.
 * Returns a function that undoes the change; it throws if nothing of the change is left.
 * @param change gets the scenarios that are active by then. @throws CallError
 */
async function changeActive(panel: Panel, change: (active: Choices) => Choices): Promise<() => Promise<void>> {
  const name = panel.world.name.peek()
  const { before, after } = await changeIn(panel, name, change)
  return async () => {
    await changeIn(panel, name, (now) => {
      const undone = withoutChange(now, before, after)
      if (isSameJson(undone, now)) throw new Error('It was changed again since: there is nothing to undo.')
      return undone
    })
  }
}

function changeIn(panel: Panel, name: string, change: (active: Choices) => Choices) {
  const { control, world } = panel
  const work = last.then(async () => {
    // Asks the server: what the panel shows may be a moment old.
    const before = (await control.call('GET /worlds/{world}/scenarios', { path: { world: name } })).active
    const wanted = change(before)
    const now = await world.changeScenarios(name, () => reach(panel, name, before, wanted))
    const became = choicesByKey(now)
    return { before, after: [...choicesByKey(wanted)].map(([key, choice]) => became.get(key) ?? choice) }
  })
  last = work.catch(() => undefined)
  return work
}

/** Activates `wanted`, switching only the differences. If one scenario is there twice, all of them start again. */
async function reach({ control }: Panel, world: string, before: Choices, wanted: Choices): Promise<void> {
  if (wanted.length === 0) return void (await control.call('DELETE /worlds/{world}/scenarios', { path: { world } }))
  // The server switches by name, which does not tell two of the same apart.
  if ([before, wanted].some((choices) => new Set(choices.map(nameOfChoice)).size < choices.length))
    return void (await control.call('PUT /worlds/{world}/scenarios', { path: { world }, body: { active: wanted } }))
  const gone = before.filter((choice) => !find(wanted, choice))
  // The server also names inline scenarios.
  const names = gone.some(isInlineChoice)
    ? (await control.call('GET /worlds/{world}', { path: { world } })).scenarios
    : before.map(nameOfChoice)
  for (const choice of gone)
    await control.call('DELETE /worlds/{world}/scenarios/{scenario}', {
      path: { world, scenario: names[before.indexOf(choice)]! },
    })
  let now = before.filter((choice) => !gone.includes(choice))
  for (let index = 0; index < wanted.length;) {
    if (isSameJson(now[index], wanted[index])) {
      index++
      continue
    }
    // If the next one fits, this one moves further down.
    const to = isSameJson(now[index + 1], wanted[index]) ? indexOfChoice(wanted, now[index]!) : index
    const next = wanted.findIndex((choice, index) => index > to && find(now, choice))
    const chosen = wanted.slice(to, find(now, wanted[to]!) ? to + 1 : next < 0 ? undefined : next)
    await control.call('POST /worlds/{world}/scenarios', { path: { world }, body: { active: chosen, place: to } })
    now = now.filter((choice) => !find(chosen, choice)).toSpliced(to, 0, ...chosen)
  }
}

export function withoutChange(now: Choices, before: Choices, after: Choices): Choices {
  if (isSameJson(now, after)) return before
  const [was, became] = [choicesByKey(before), choicesByKey(after)]
  const undone = [...choicesByKey(now)].flatMap(([key, choice]): [string, PanelChoice][] => {
    const former = was.get(key)
    const isOurs = isSameJson(choice, became.get(key)) && !isSameJson(choice, former)
    return isOurs ? (former ? [[key, former]] : []) : [[key, choice]]
  })
  const keys = [...was.keys()]
  keys.forEach((key, index) => {
    if (became.has(key) || undone.some(([one]) => one === key)) return
    // Inserts it after the nearest of the scenarios that were before it.
    const earlier = keys.slice(0, index)
    undone.splice(undone.findLastIndex(([one]) => earlier.includes(one)) + 1, 0, [key, was.get(key)!])
  })
  return undone.map(([, choice]) => choice)
}

function indexOfChoice(choices: Choices, choice: PanelChoice): number {
  return choices.findIndex((one) => nameOfChoice(one) === nameOfChoice(choice))
}

function find(choices: Choices, choice: PanelChoice): PanelChoice | undefined {
  return choices[indexOfChoice(choices, choice)]
}
