import type { Memory } from './effect.ts'
import type { ScenarioChoice } from './world-origin.ts'

/** How many scenarios are remembered; past it all start anew. */
const most = 256

/** What the counters of scenarios that requests name in a header remember, by name and options. */
export class PassingMemories {
  readonly #memories: Map<string, Map<string, Memory>>

  constructor(memories: Map<string, Map<string, Memory>> = new Map()) {
    this.#memories = memories
  }

  /** What a scenario remembers; nothing at first. */
  of(choice: ScenarioChoice): Map<string, Memory> {
    const name = JSON.stringify(choice)
    let memory = this.#memories.get(name)
    if (!memory) {
      if (this.#memories.size >= most) this.#memories.clear()
      this.#memories.set(name, (memory = new Map()))
    }
    return memory
  }

  clone(): PassingMemories {
    return new PassingMemories(new Map(Array.from(this.#memories, ([choice, memory]) => [choice, new Map(Array.from(memory, ([name, value]) => [name, value.clone() as Memory]))])))
  }
}
