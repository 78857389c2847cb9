import type { Api } from './api.ts'
import type { AssumptionsInForce } from './shapes.ts'

/** Changes assumptions of a world. Returns the new values, and a function that undoes the change unless it was changed again. @throws ApiFailure */
export async function changeAssumptions(
  api: Api,
  world: string,
  wanted: Readonly<Record<string, string>>,
): Promise<{ readonly now: Readonly<Record<string, string>>; readonly undo: () => Promise<void> }> {
  const before: Readonly<Record<string, string>> = await api.worldAssumptions(world)
  const now: AssumptionsInForce = await api.assume(world, wanted)
  const undo = async () => {
    const current: Readonly<Record<string, string>> = await api.worldAssumptions(world)
    const ours = Object.keys(wanted).filter((id) => current[id] === wanted[id])
    if (ours.length === 0) throw new Error('It was changed again since: there is nothing to undo.')
    await api.assume(world, Object.fromEntries(ours.map((id) => [id, before[id]!])))
  }
  return { now, undo }
}
