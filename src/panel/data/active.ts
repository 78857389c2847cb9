import type { Panel } from './panel.ts'
import type { ScenarioChoice } from './shapes.ts'

/** What takes a change of what is active back. */
export type UndoActive = () => Promise<void>

/** The last change of what is active: the next one begins with what it left. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Changes what is active in the world that is shown, one change after the other.
 * @param change is given what is active by then. @throws ApiFailure
 */
export function changeActive(
  { api, world }: Panel,
  change: (active: readonly ScenarioChoice[]) => readonly ScenarioChoice[],
): Promise<UndoActive> {
  const name = world.name.peek()
  const work = last.then(async () => {
    // The server's word: what the panel shows may be a moment old.
    const before = await api.activeScenarios(name)
    await world.useScenarios(name, change(before))
    return () => world.useScenarios(name, before)
  })
  last = work.catch(() => undefined)
  return work
}
