import type { Limiter } from '../accounts/rate-limit.ts'
import { suggest } from '../text/messages.ts'
import { copied } from '../text/copied.ts'
import type { WorldMemory } from '../store/data-memory.ts'
import type { ClockState } from '../time/world-clock.ts'
import type { ChanceState } from './chance.ts'
import type { Idempotency } from './idempotency.ts'
import type { SavedData } from './world-data.ts'
import { inlineSizeOf } from './inline.ts'
import type { ScenarioState } from './world-scenarios.ts'

const max = 1_000

/** The bytes of a snapshot without its records and inline scenarios. */
const byteSize = 2_000

interface Snapshot {
  readonly data: SavedData
  readonly chance: ChanceState
  readonly clock: ClockState
  readonly limiter: Limiter
  readonly idempotency: Idempotency
  readonly scenarios: ScenarioState
}

export class Snapshots {
  readonly #world: string
  readonly #memory: WorldMemory
  readonly #taken = new Map<string, Snapshot>()
  readonly #onEnd: (kept: SavedData[]) => void

  constructor(world: string, memory: WorldMemory, onEnd: (kept: SavedData[]) => void) {
    this.#world = world
    this.#memory = memory
    this.#onEnd = onEnd
  }

  get names(): string[] {
    return [...this.#taken.keys()]
  }

  get bytes(): number {
    let bytes = 0
    for (const snapshot of this.#taken.values())
      bytes += sizeOf(snapshot) + snapshot.idempotency.bytes + (snapshot.scenarios.headerState?.bytes ?? 0)
    return bytes
  }

  add(name: string, take: () => Snapshot): void {
    const replaced = this.#taken.get(name)
    if (this.#taken.size >= max && !replaced)
      throw new RangeError(
        `Failed to take the snapshot ${JSON.stringify(name)}: the world "${this.#world}" has ${max} snapshots already. Reuse a name to replace that snapshot, or reset the world.`,
      )
    if (replaced) this.#end(replaced)
    const snapshot = take()
    this.#memory.grow(sizeOf(snapshot))
    this.#taken.set(copied(name), snapshot)
  }

  delete(name: string): void {
    this.#end(this.get(name, 'delete'))
    this.#taken.delete(name)
  }

  get(name: string, purpose = 'restore'): Snapshot {
    const snapshot = this.#taken.get(name)
    if (snapshot) return snapshot
    throw new RangeError(
      `Failed to ${purpose} the snapshot ${JSON.stringify(name)}: the world "${this.#world}" has no such snapshot.${suggest(name, this.names)}`,
    )
  }

  #end(snapshot: Snapshot): void {
    snapshot.scenarios.headerState?.end()
    snapshot.idempotency.end()
    this.#memory.change(-sizeOf(snapshot))
    const kept = [...this.#taken.values()].filter((one) => one !== snapshot)
    this.#onEnd(kept.map(({ data }) => data))
  }
}

function sizeOf({ scenarios }: Snapshot): number {
  return byteSize + inlineSizeOf(scenarios.active)
}
