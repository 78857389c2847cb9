import type { GreenhouseErrorCode } from '../text/error-codes.ts'
import { recognizeAcrossBuilds } from '../contract/builds.ts'
import { isKnown } from '../secrets/known-secrets.ts'
import type { MemoryOwner } from '../store/memory.ts'
import { copied } from '../text/values.ts'
import type { WorldChange } from './changes.ts'
import { LiveWorld, type WorldHooks } from './live-world.ts'
import type { WorldTemplate } from './world-template.ts'

const roomAdvice =
  'and a limit for the memory of all of them. Use fewer worlds, pin this one, raise the limits (maxWorlds, memory), or delete it to start it again.'

export class DroppedWorldError extends Error {
  override name = 'DroppedWorldError'
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_DROPPED_WORLD'

  constructor(name: string, limit: number) {
    super(
      `The world "${name}" was dropped to make room: it was the least recently used one. There are at most ${limit} worlds, ${roomAdvice}`,
    )
  }
}

/**
 * Thrown for a name that no world may have: a key or another secret, which would be shown
 * everywhere.
 */
export class SecretNameError extends RangeError {
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_INVALID_VALUE'
  constructor() {
    super(
      'Failed to create a world: its name is a key or another secret. Choose another name, and send keys as "Authorization: Bearer KEY".',
    )
  }
}

export class ClosedError extends Error {
  override name = 'ClosedError'
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_CLOSED'

  constructor() {
    super(
      'The Greenhouse is closed: greenhouse.close() was called. Create another one with createGreenhouse().',
    )
  }
}

recognizeAcrossBuilds(ClosedError, 'ClosedError')
recognizeAcrossBuilds(DroppedWorldError, 'DroppedWorldError')

/** The most names of dropped worlds to remember: some 10 MB. An older name creates a new world. */
const maxDroppedNames = 100_000

/** The worlds of a Greenhouse, by name. A map keeps the order of adding: the first is dropped first. */
export class Worlds {
  /** The least recently used world comes first. */
  readonly #worlds = new Map<string, LiveWorld>()
  /** The worlds that may have a journal, in the same order. */
  readonly #withJournal = new Set<LiveWorld>()
  /** Those who read a world, such as its log, so that it is not dropped. */
  readonly #readers = new Set<{ readonly world: string }>()
  /** The names of dropped worlds: their clients get an error, not an empty new world. */
  readonly #dropped = new Set<string>()
  readonly #template: WorldTemplate
  readonly #hooks: WorldHooks
  readonly #maxWorlds: number
  readonly #defaultWorld: LiveWorld
  /** The world that was used last; `undefined` after `end`. */
  #latest: LiveWorld | undefined

  constructor(template: WorldTemplate, hooks: WorldHooks, limit: number) {
    this.#template = template
    this.#hooks = hooks
    this.#maxWorlds = limit
    template.memory.makeRoom = (needed, isEnough) => this.#makeRoom(needed, isEnough)
    this.#defaultWorld = this.#create('default')
    this.#defaultWorld.pinned = true
    this.#latest = this.#defaultWorld
  }

  /** Returns a world, and creates it on first use. */
  get(name: string): LiveWorld {
    if (this.#latest?.name === name) return this.#latest
    this.assertOpen()
    let world = this.#worlds.get(name)
    if (world) {
      // The world moves to the end of the order.
      this.#worlds.delete(name)
      this.#worlds.set(name, world)
    } else {
      this.#assertKept(name)
      if (isKnown(this.#defaultWorld.secretFinders(), name)) throw new SecretNameError()
      this.#dropWorlds(
        ({ pinned }) => !pinned,
        () => this.#worlds.size < this.#maxWorlds,
      )
      world = this.#create(name)
    }
    this.#withJournal.delete(world)
    this.#withJournal.add(world)
    return (this.#latest = world)
  }

  /** Returns a world without using it: its place in the order stays. */
  peek(name: string): LiveWorld | undefined {
    return this.#worlds.get(name)
  }

  /** Returns whether a world exists. Throws if it was dropped, as its use would. */
  has(name: string): boolean {
    this.assertOpen()
    this.#assertKept(name)
    return this.#worlds.has(name)
  }

  #assertKept(name: string): void {
    if (this.#dropped.has(name)) throw new DroppedWorldError(name, this.#maxWorlds)
  }

  list(): LiveWorld[] {
    return [...this.#worlds.values()]
  }

  /**
   * Deletes a world, also a dropped one: the next use of its name creates a new world. `default`
   * starts again immediately. Returns whether the world was known.
   */
  delete(name: string): boolean {
    const world = this.#worlds.get(name)
    const known = this.#dropped.delete(name) || world !== undefined
    if (name === 'default') world?.life.reset()
    else if (world) this.#remove(world, 'deleted')
    return known
  }

  end(): void {
    this.#latest = undefined
    for (const world of this.#worlds.values()) {
      world.end()
      world.notifyWorldChange('deleted')
    }
    this.#worlds.clear()
    this.#withJournal.clear()
  }

  assertOpen(): void {
    if (this.#latest === undefined) throw new ClosedError()
  }

  #create(name: string): LiveWorld {
    const world = new LiveWorld(copied(name), this.#template, this.#hooks)
    this.#worlds.set(world.name, world)
    world.notifyWorldChange('created')
    return world
  }

  /** Keeps a world from being dropped, even before it exists. Returns a function that ends this. */
  hold(world: string): () => void {
    const reader = { world }
    this.#readers.add(reader)
    return () => void this.#readers.delete(reader)
  }

  /**
   * Frees memory for a world, and begins with what is missed least: a journal that is gone says so,
   * a world that is gone answers no more.
   */
  #makeRoom(requester: MemoryOwner | undefined, isEnough: () => boolean): void {
    const readNames = new Set(Array.from(this.#readers, ({ world }) => world))
    const isIdle = (world: LiveWorld) =>
      world !== requester && world.isIdle && !readNames.has(world.name)
    this.#forgetJournals(isIdle, isEnough)
    requester?.forgetChanges(isEnough)
    this.#dropWorlds(isIdle, isEnough)
    requester?.forgetRequests(isEnough)
  }

  #forgetJournals(mayGo: (world: LiveWorld) => boolean, isEnough: () => boolean): void {
    for (const world of this.#withJournal) {
      if (isEnough()) return
      if (!mayGo(world)) continue
      world.forgetChanges(never)
      world.forgetRequests(never)
      // The next request of the world that was used last does not add it again.
      if (world !== this.#latest) this.#withJournal.delete(world)
    }
  }

  #dropWorlds(mayGo: (world: LiveWorld) => boolean, isEnough: () => boolean): void {
    for (const world of this.#worlds.values()) {
      if (isEnough()) return
      if (world.name === 'default' || !mayGo(world)) continue
      this.#remove(world, 'dropped')
      addAndForgetOldest(this.#dropped, world.name, maxDroppedNames)
    }
  }

  #remove(world: LiveWorld, change: WorldChange['change']): void {
    world.notifyState('world-ends')
    world.end()
    this.#worlds.delete(world.name)
    this.#withJournal.delete(world)
    if (this.#latest === world) this.#latest = this.#defaultWorld
    world.notifyWorldChange(change)
  }
}

/** Means that memory is never enough, so that a world forgets all that it can. */
const never = () => false

/** Adds a name to a set that keeps at most about `max` names. */
export function addAndForgetOldest(names: Set<string>, name: string, max: number): void {
  names.add(name)
  // Several names go at once: finding a set's oldest entry takes longer after many deletions.
  if (names.size <= max * 1.01) return
  for (const oldest of names) {
    if (names.size <= max) return
    names.delete(oldest)
  }
}
