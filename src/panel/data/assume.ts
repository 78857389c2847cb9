import type { Api } from './api.ts'

type Values = Readonly<Record<string, string>>

/** Changes assumptions of a world. Returns the new values, and a function that undoes the change unless it was changed again. @throws ApiFailure */
export async function changeAssumptions(api: Api, world: string, wanted: Values) {
  const before: Values = await api.worldAssumptions(world)
  const now: Values = await api.assume(world, wanted)
  const undo = async () => {
    const current: Values = await api.worldAssumptions(world)
    const ours = Object.keys(wanted).filter((id) => current[id] === wanted[id])
    if (ours.length === 0) throw new Error('It was changed again since: there is nothing to undo.')
    await api.assume(world, Object.fromEntries(ours.map((id) => [id, before[id]!])))
  }
  return { now, undo }
}
