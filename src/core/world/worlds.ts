import { recognizeAcrossBuilds } from '../definitions/across-builds.ts'
import { copied } from '../store/copied.ts'
import type { WorldMemory } from '../store/data-memory.ts'
import type { WorldChange } from './changes.ts'
import { NewestNames } from './newest-names.ts'
import { LiveWorld } from './live-world.ts'
import type { WorldOrigin } from './origin.ts'

/** A world that had to make room for others and is gone. */
export class DroppedWorldError extends Error {
  override name = 'DroppedWorldError'

  constructor(name: string, limit: number) {
    super(
      `The world "${name}" was dropped to make room: it was the least recently used one. There are at most ${limit} worlds, and a limit for the data of all worlds. Use fewer worlds, pin this one, raise the limits (maxWorlds, dataMemory), or delete it to start it again.`,
    )
  }
}

/** A name that no world may have: a key or another secret, which would be shown wherever the world is. */
export class SecretNameError extends RangeError {
  constructor() {
    super(
      'Failed to make a world: its name is a key or another secret of the world default. Choose another name; a key belongs into "Authorization: Bearer KEY".',
    )
  }
}

/** The Greenhouse was closed: it has no worlds any more. */
export class ClosedError extends Error {
  override name = 'ClosedError'

  constructor() {
    super('The Greenhouse is closed: greenhouse.close() was called. Make another one with createGreenhouse().')
  }
}

recognizeAcrossBuilds(ClosedError, 'ClosedError')
recognizeAcrossBuilds(DroppedWorldError, 'DroppedWorldError')

/** How many names of dropped worlds are remembered, the newest: some 10 MB. The next use of an older one makes a new world. */
const mostDropped = 100_000

/** The worlds of a service by name, the least recently used one first. */
export class Worlds {
  readonly #worlds = new Map<string, LiveWorld>()
  readonly #dropped = new NewestNames(mostDropped)
  readonly #origin: WorldOrigin
  readonly #limit: number
  /** `undefined` once they have ended. */
  #latest: LiveWorld | undefined

  /** @param limit how many there can be at once; a pinned one is never dropped. */
  constructor(origin: WorldOrigin, limit: number) {
    this.#origin = origin
    this.#limit = limit
    origin.memory.dropWorlds = (needed, isEnough) => this.#dropUntil(isEnough, needed)
    this.#latest = this.#make('default')
    this.#latest.pinned = true
  }

  /** The world of that name, made on first use. @throws DroppedWorldError when it was dropped to make room; SecretNameError; ClosedError after `end`. */
  get(name: string): LiveWorld {
    if (this.#latest?.name === name) return this.#latest
    this.assertOpen()
    let world = this.#worlds.get(name)
    if (world) {
      this.#worlds.delete(name)
      this.#worlds.set(name, world)
    } else {
      if (this.#dropped.has(name)) throw new DroppedWorldError(name, this.#limit)
      const standard = this.#worlds.get('default')!
      if (standard.secretFinders().some((finder) => finder.has(name))) throw new SecretNameError()
      this.#dropUntil(() => this.#worlds.size < this.#limit)
      world = this.#make(name)
    }
    return (this.#latest = world)
  }

  /** The world of that name, if it exists. This does not count as a use. */
  peek(name: string): LiveWorld | undefined {
    return this.#worlds.get(name)
  }

  /** Whether there is a world of that name; looking does not make it. @throws DroppedWorldError when it was dropped to make room. */
  has(name: string): boolean {
    this.assertOpen()
    if (this.#dropped.has(name)) throw new DroppedWorldError(name, this.#limit)
    return this.#worlds.has(name)
  }

  get size(): number {
    return this.#worlds.size
  }

  /** All worlds, the least recently used one first. */
  list(): LiveWorld[] {
    return [...this.#worlds.values()]
  }

  /** Forgets a world, a dropped one too: the next use of its name makes a new one. `default` starts anew at once. Tells whether there was one. */
  delete(name: string): boolean {
    const world = this.#worlds.get(name)
    const known = this.#dropped.delete(name) || world !== undefined
    if (name === 'default') world?.reset()
    else if (world) this.#remove(world, 'deleted')
    return known
  }

  /** Ends all worlds, for good. */
  end(): void {
    this.#latest = undefined
    for (const world of this.#worlds.values()) {
      world.end()
      this.#tell(world.name, 'deleted')
    }
    this.#worlds.clear()
  }

  /** @throws ClosedError after `end`. */
  assertOpen(): void {
    if (this.#latest === undefined) throw new ClosedError()
  }

  #make(name: string): LiveWorld {
    const world = new LiveWorld(copied(name), this.#origin)
    this.#worlds.set(world.name, world)
    this.#tell(name, 'created')
    return world
  }

  /** Drops the least recently used worlds until there is room enough, or none is left that may go. */
  #dropUntil(isEnough: () => boolean, needed?: WorldMemory): void {
    for (const world of this.#worlds.values()) {
      if (isEnough()) return
      if (world.pinned || world.name === 'default' || world.memory === needed) continue
      this.#remove(world, 'dropped')
      this.#dropped.add(world.name)
    }
  }

  #tell(world: string, change: WorldChange['change']): void {
    const { changes } = this.#origin
    if (changes.isObserved) changes.tell({ type: 'world', world, change })
  }

  #remove(world: LiveWorld, change: WorldChange['change']): void {
    world.end()
    this.#worlds.delete(world.name)
    if (this.#latest === world) this.#latest = this.#worlds.get('default')!
    this.#tell(world.name, change)
  }
}
