import type { Contract } from '../core/pipeline/contract.ts'
import type { Effect } from '../core/pipeline/exchange.ts'
import type { ActivationContext, Memory } from '../core/world/layer.ts'
import { createRandom, type Random } from '../core/time/random.ts'

/** How often an effect was meant and how often it acted, and the chance that it draws from. */
export class Counter implements Memory<Counter> {
  meant = 0
  acted = 0
  readonly bytes = 600
  readonly random: Random

  constructor(random: Random) {
    this.random = random
  }

  clone(): Counter {
    const copy = new Counter(this.random.fork())
    copy.meant = this.meant
    copy.acted = this.acted
    return copy
  }
}

/** What an effect gets when its scenario is switched on, and where it keeps its state. */
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

  /** When the scenario was switched on, on the world's clock. */
  get now(): number {
    this.#isReusable = false
    return this.context.now
  }

  /** How an effect is called: `fault.0`. */
  name(id: string): Pick<Effect, 'scenario' | 'id'> {
    return { scenario: this.scenario, id }
  }

  /** What an effect remembers for as long as the scenario is on: of one that a header names, for that request. */
  own<T extends Memory<T>>(id: string, make: () => T): T {
    this.#isReusable = false
    return remembered(this.#own, id, make)
  }

  /** The state of an effect between requests, also when a header names the scenario in each request. */
  lasting<T extends Memory<T>>(id: string, make: () => T): T {
    return remembered(this.context.lasting ?? this.#own, id, make)
  }

  /** The counter of an effect. Its chance depends on the seed, the scenario and the effect alone. */
  counter(id: string): Counter {
    return this.lasting(
      `counter ${id}`,
      () => new Counter(createRandom(this.context.seed, `scenario ${this.scenario} ${id}`)),
    )
  }

  /** Whether nothing so far asked for the time or kept something for one request alone. */
  get isReusable(): boolean {
    return this.#isReusable
  }

  /** How many bytes it remembers by itself. */
  get bytes(): number {
    let bytes = 0
    for (const memory of this.#own.values()) bytes += memory.bytes
    return bytes
  }

  /** The same with what was remembered so far for itself. */
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
