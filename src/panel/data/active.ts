import { toJson } from '../../core/http/json.ts'
import { nameOfChoice } from './choice.ts'
import type { Panel } from './panel.ts'
import type { ScenarioChoice } from './shapes.ts'

/** What takes a change of what is active back, and only that. @throws Error where others have changed all of it since */
export type UndoActive = () => Promise<void>

type Choices = readonly ScenarioChoice[]

/** The last change of what is active: the next one begins with what it left. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Changes what is active in the world that is shown, one change after the other.
 * @param change is given what is active by then. @throws ApiFailure
 */
export async function changeActive(panel: Panel, change: (active: Choices) => Choices): Promise<UndoActive> {
  const name = panel.world.name.peek()
  const { before, after } = await changeIn(panel, name, change)
  return async () => {
    await changeIn(panel, name, (now) => {
      const undone = withoutChange(now, before, after)
      if (toJson(undone) === toJson(now)) throw new Error('It was changed again since: there is nothing to undo.')
      return undone
    })
  }
}

/** Gives what was active in a world, and what is active now. */
function changeIn(
  { api, world }: Panel,
  name: string,
  change: (active: Choices) => Choices,
): Promise<{ readonly before: Choices; readonly after: Choices }> {
  const work = last.then(async () => {
    // The server's word: what the panel shows may be a moment old.
    const before = await api.activeScenarios(name)
    return { before, after: await world.useScenarios(name, change(before)) }
  })
  last = work.catch(() => undefined)
  return work
}

/** What is active now without the change from `before` to `after`. What others switched on, off or over since stays as they left it. */
export function withoutChange(now: Choices, before: Choices, after: Choices): Choices {
  const find = (choices: Choices, name: string) => choices.find((one) => nameOfChoice(one) === name)
  const isSame = (one: ScenarioChoice | undefined, other: ScenarioChoice | undefined) =>
    (one && toJson(one)) === (other && toJson(other))
  const undone = now.flatMap((choice) => {
    const name = nameOfChoice(choice)
    const isOurs = isSame(choice, find(after, name)) && !isSame(choice, find(before, name))
    return isOurs ? (find(before, name) ?? []) : [choice]
  })
  before.forEach((choice, place) => {
    const name = nameOfChoice(choice)
    if (find(after, name) !== undefined || find(undone, name) !== undefined) return
    // Behind the nearest of those that stood before it.
    const earlier = before.slice(0, place).map(nameOfChoice)
    undone.splice(undone.findLastIndex((one) => earlier.includes(nameOfChoice(one))) + 1, 0, choice)
  })
  return undone
}
