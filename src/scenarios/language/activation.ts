import type { Contract } from '../../core/pipeline/contract.ts'
import type { ActivationContext, Memory } from '../../core/world/layer.ts'
import { createRandom, type Random } from '../../core/time/random.ts'

export class Counter implements Memory<Counter> {
  matched = 0
  acted = 0
  readonly bytes = 600
  readonly random: Random

  constructor(random: Random) {
    this.random = random
  }

  clone(): Counter {
    const copy = new Counter(this.random.fork())
    copy.matched = this.matched
    copy.acted = this.acted
    return copy
  }
}

export class Activation {
  readonly scenario: string
  readonly contract: Contract
  readonly context: ActivationContext
  readonly #own: Map<string, Memory>
  #isReusable = true

  constructor(scenario: string, contract: Contract, context: ActivationContext, own: Map<string, Memory> = new Map()) {
    this.scenario = scenario
    this.contract = contract
    this.context = context
    this.#own = own
  }

  /** The time of the activation, on the world's clock. */
  get now(): number {
    this.#isReusable = false
    return this.context.now
  }

  activationMemory<T extends Memory<T>>(id: string, make: () => T): T {
    this.#isReusable = false
    return remembered(this.#own, id, make)
  }

  /** Returns the memory of an effect between requests, even if each request names the scenario in a header. */
  persistentMemory<T extends Memory<T>>(id: string, make: () => T): T {
    return remembered(this.context.lasting ?? this.#own, id, make)
  }

  /** Returns the counter of an effect. Its random numbers depend only on the seed, the scenario and the effect. */
  counter(id: string): Counter {
    return this.persistentMemory(
      `counter ${id}`,
      () => new Counter(createRandom(this.context.seed, `scenario ${this.scenario} ${id}`)),
    )
  }

  get isReusable(): boolean {
    return this.#isReusable
  }

  get bytes(): number {
    let bytes = 0
    for (const memory of this.#own.values()) bytes += memory.bytes
    return bytes
  }

  fork(): Activation {
    return new Activation(
      this.scenario,
      this.contract,
      this.context,
      new Map(Array.from(this.#own, ([id, memory]) => [id, memory.clone() as Memory])),
    )
  }
}

function remembered<T extends Memory<T>>(memories: Map<string, Memory>, id: string, make: () => T): T {
  let memory = memories.get(id) as T | undefined
  if (!memory) memories.set(id, (memory = make()))
  return memory
}
