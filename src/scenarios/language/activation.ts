import type { Contract } from '../../core/pipeline/operation.ts'
import type { ActivationContext, HeaderState } from '../../core/world/effective-settings.ts'
import { createRandom, type Random } from '../../core/time/random.ts'

export class Counter implements HeaderState<Counter> {
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
  readonly #own: Map<string, HeaderState>
  #isReusable = true

  constructor(
    scenario: string,
    contract: Contract,
    context: ActivationContext,
    own: Map<string, HeaderState> = new Map(),
  ) {
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

  activationState<T extends HeaderState<T>>(id: string, make: () => T): T {
    this.#isReusable = false
    return stateOf(this.#own, id, make)
  }

  /** Returns the memory of an effect between requests, even if each request names the scenario in a header. */
  persistentState<T extends HeaderState<T>>(id: string, make: () => T): T {
    return stateOf(this.context.lasting ?? this.#own, id, make)
  }

  /** Returns the counter of an effect. Its random numbers depend only on the seed, the scenario and the effect. */
  counter(id: string): Counter {
    return this.persistentState(
      `counter ${id}`,
      () => new Counter(createRandom(this.context.seed, `scenario ${this.scenario} ${id}`)),
    )
  }

  get isReusable(): boolean {
    return this.#isReusable
  }

  get bytes(): number {
    let bytes = 0
    for (const state of this.#own.values()) bytes += state.bytes
    return bytes
  }

  fork(): Activation {
    return new Activation(
      this.scenario,
      this.contract,
      this.context,
      new Map(Array.from(this.#own, ([id, state]) => [id, state.clone() as HeaderState])),
    )
  }
}

function stateOf<T extends HeaderState<T>>(states: Map<string, HeaderState>, id: string, make: () => T): T {
  let state = states.get(id) as T | undefined
  if (!state) states.set(id, (state = make()))
  return state
}
