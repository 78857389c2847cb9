import { sharedByBuilds } from '../core/contract/across-builds.ts'
import { transact } from '../core/store/transaction.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { Call, Undoable } from './call.ts'
import { conflict, ControlError } from './errors.ts'
import { identityOfServer } from './shapes.ts'

interface Changes {
  readonly epoch: number
  readonly list: { readonly id: string; readonly parts: readonly Undoable[] }[]
}

/** The most changes of a world that can be taken back. Each holds the records that it changed. */
const maxChanges = 32

const kept = sharedByBuilds('undo', () => ({ worlds: new WeakMap<LiveWorld, Changes>(), count: 0 }))

/** Keeps what a call changed, and returns the id of the change; `undefined` if nothing of it can be taken back. */
export function keepChange({ touched, greenhouse, world }: Call): string | undefined {
  const parts = touched.flatMap((finish) => finish() ?? [])
  if (parts.length === 0) return undefined
  const list = changesOf(world.core)
  // A page may still know changes of a server that was restarted.
  const id = `${identityOfServer(greenhouse)}.${++kept.count}`
  list.push({ id, parts })
  if (list.length > maxChanges) list.shift()
  return id
}

/** Takes a change back, by default the last one. @throws ControlError; then nothing has changed. */
export function takeBack(live: LiveWorld, id?: string): void {
  const list = changesOf(live)
  const change = id === undefined ? list.at(-1) : list.find((one) => one.id === id)
  if (!change)
    throw conflict(
      'nothing_to_undo',
      `There is no such change to take back: a world keeps its last ${maxChanges}, until it is reset or restored.`,
    )
  try {
    for (const part of change.parts) part.assertUnchanged()
    // What was deleted last is created first, because others refer to it.
    transact(() => change.parts.toReversed().forEach((part) => part.takeBack()))
  } catch (error) {
    throw error instanceof ControlError ? conflict('changed_since', error.message) : error
  }
  list.splice(list.indexOf(change), 1)
}

/** A reset or a restore drops the changes before it. */
function changesOf(live: LiveWorld): Changes['list'] {
  const known = kept.worlds.get(live)
  if (known?.epoch === live.epoch) return known.list
  const list: Changes['list'] = []
  kept.worlds.set(live, { epoch: live.epoch, list })
  return list
}
