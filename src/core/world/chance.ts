import { createRandom, type Random } from '../time/random.ts'

export interface ChanceState {
  readonly seed: number
  readonly streams: ReadonlyMap<string, Random>
}

export class Chance {
  #seed: number
  #streams: Map<string, Random> | undefined
  #onwardStreams: Map<string, Random> | undefined
  #restores = 0
  #restarts: number

  /** @param restarts how often other processes continued from the world's state: each gets different numbers. */
  constructor(seed: number, restarts: number) {
    this.#seed = seed
    this.#restarts = restarts
  }

  get seed(): number {
    return this.#seed
  }

  get restarts(): number {
    return this.#restarts
  }

  random(purpose: string): Random {
    const streams = (this.#streams ??= new Map())
    let stream = streams.get(purpose)
    if (!stream) streams.set(purpose, (stream = this.#create(purpose)))
    return stream
  }

  onwardRandom(purpose: string): Random {
    const streams = (this.#onwardStreams ??= new Map())
    let stream = streams.get(purpose)
    if (!stream) {
      const name = this.#restores === 0 ? purpose : `${purpose} after restore ${this.#restores}`
      streams.set(purpose, (stream = this.#create(name)))
    }
    return stream
  }

  #create(name: string): Random {
    return createRandom(this.#seed, this.#restarts === 0 ? name : `${name} after restart ${this.#restarts}`)
  }

  reseed(seed: number, restarts = this.#restarts): void {
    this.#seed = seed
    this.#restarts = restarts
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
