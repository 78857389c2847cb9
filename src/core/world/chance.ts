import { createRandom, type Random } from '../time/random.ts'

/** The seed of a world's random streams, and their states. */
export interface ChanceState {
  readonly seed: number
  readonly streams: ReadonlyMap<string, Random>
}

/** The random generators of a world: one for each purpose, from the seed and the purpose. */
export class Chance {
  #seed: number
  #streams: Map<string, Random> | undefined
  /** The generators that a restore does not reset. */
  #onwardStreams: Map<string, Random> | undefined
  /** The number of restores since the start. */
  #restores = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  get seed(): number {
    return this.#seed
  }

  /** Returns the generator of a purpose. */
  random(purpose: string): Random {
    const streams = (this.#streams ??= new Map())
    let stream = streams.get(purpose)
    if (!stream) streams.set(purpose, (stream = createRandom(this.#seed, purpose)))
    return stream
  }

  /** Returns a generator of a purpose that gives other numbers after a restore. */
  onwardRandom(purpose: string): Random {
    const streams = (this.#onwardStreams ??= new Map())
    let stream = streams.get(purpose)
    if (!stream) {
      const name = this.#restores === 0 ? purpose : `${purpose} after restore ${this.#restores}`
      streams.set(purpose, (stream = createRandom(this.#seed, name)))
    }
    return stream
  }

  /** Restarts all generators with this seed. */
  reseed(seed: number): void {
    this.#seed = seed
    this.#streams = undefined
    this.#onwardStreams = undefined
  }

  save(): ChanceState {
    return { seed: this.#seed, streams: forked(this.#streams ?? new Map()) }
  }

  restore({ seed, streams }: ChanceState): void {
    this.reseed(seed)
    this.#streams = forked(streams)
    this.#restores++
  }
}

function forked(streams: ReadonlyMap<string, Random>): Map<string, Random> {
  return new Map(Array.from(streams, ([purpose, stream]) => [purpose, stream.fork()]))
}
