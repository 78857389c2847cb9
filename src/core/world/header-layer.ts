import { toDigest } from '../secrets/secret-finder.ts'
import { byteSizeOf } from '../store/data-memory.ts'
import {
  activate,
  type Activating,
  assertProducible,
  type CoreActiveScenario,
  createEffectiveSettings,
  type EffectiveSettings,
  type HeaderState,
  type ScenarioSource,
} from './effective-settings.ts'
import { type NamedScenario, toScenarioChoices } from './scenario-choice.ts'

const max = 16
const maxScenarios = 64
const longestText = 1_000

interface HeaderBase {
  readonly origin: Activating
  readonly active: readonly CoreActiveScenario[]
  readonly assumptions: ReadonlyMap<string, string>
  readonly seed: number
  readonly now: number
}

interface LayeredScenario {
  readonly name: string
  readonly states: Map<string, HeaderState>
  readonly scenario: CoreActiveScenario
}

interface CachedSettings {
  readonly library: ScenarioSource
  readonly layered: readonly LayeredScenario[]
  readonly effectiveSettings: EffectiveSettings
}

/** Caches the settings of headers, by the header's text, while new ones would be equal: clients repeat them. */
export class HeaderLayer {
  readonly #cache = new Map<string, CachedSettings>()
  readonly #grow: (bytes: number) => void
  #scenarios = 0
  #state: HeaderScenarioState

  constructor(grow: (bytes: number) => void) {
    this.#grow = grow
    this.#state = new HeaderScenarioState(grow)
  }

  overlaid(text: string, base: HeaderBase): EffectiveSettings {
    const cached = this.#cache.get(text)
    if (cached && isSame(cached, base, this.#state)) return cached.effectiveSettings
    if (cached) this.#forget(text, cached)
    const layered = toScenarioChoices(text).map((choice): LayeredScenario => {
      const name = toStateName(choice)
      const states = this.#state.of(name)
      return { name, states, scenario: activate(base.origin, choice, base.now, base.seed, states) }
    })
    const effectiveSettings = createEffectiveSettings(
      [...base.active, ...layered.map(({ scenario }) => scenario)],
      base.assumptions,
    )
    this.#add(text, { library: base.origin.library, layered, effectiveSettings })
    return effectiveSettings
  }

  clear(): void {
    this.#cache.clear()
    this.#scenarios = 0
  }

  reseed(): void {
    this.#state.end()
    this.#state = new HeaderScenarioState(this.#grow)
  }

  save(): HeaderScenarioState {
    return this.#state.clone()
  }

  restore(saved: HeaderScenarioState): void {
    this.#state.end()
    this.#state = saved.clone()
  }

  #add(text: string, added: CachedSettings): void {
    if (text.length > longestText || !added.layered.every(({ scenario }) => scenario.isReusable)) return
    this.#cache.set(text, added)
    this.#scenarios += added.layered.length
    for (const [oldest, forgotten] of this.#cache) {
      if (this.#cache.size <= max && this.#scenarios <= maxScenarios) break
      this.#forget(oldest, forgotten)
    }
  }

  #forget(text: string, { layered }: CachedSettings): void {
    this.#cache.delete(text)
    this.#scenarios -= layered.length
  }
}

/** Whether new settings would be equal. Marks each scenario as used, as new ones would. */
function isSame({ library, layered }: CachedSettings, { origin }: HeaderBase, state: HeaderScenarioState): boolean {
  if (library !== origin.library) return false
  let same = true
  for (const { name, states, scenario } of layered) {
    for (const host of origin.hosts) assertProducible(scenario, host)
    if (!scenario.isReusable || state.of(name) !== states) same = false
  }
  return same
}

/** The most scenarios to remember, and the most bytes of all. Past either, the least recently used one starts again. */
const maxStates = 64
const maxBytes = 2 ** 25

/** The bytes of a scenario in cached settings, and of its entry here. */
const scenarioSize = 4_200

const longestName = 100

interface StoredState {
  readonly states: Map<string, HeaderState>
  bytes: number
}

export class HeaderScenarioState {
  /** Least recently used first. */
  readonly #states = new Map<string, StoredState>()
  readonly #grow: (bytes: number) => void
  bytes = 0

  constructor(grow: (bytes: number) => void) {
    this.#grow = grow
  }

  of(name: string): Map<string, HeaderState> {
    const state = this.#states.get(name) ?? { states: new Map(), bytes: 0 }
    this.#states.delete(name)
    this.#states.set(name, state)
    this.#count(state, sizeOf(name, state.states))
    for (const [oldest, { bytes }] of this.#states) {
      if (oldest === name || (this.#states.size <= maxStates && this.bytes <= maxBytes)) break
      this.#states.delete(oldest)
      this.bytes -= bytes
      this.#grow(-bytes)
    }
    return state.states
  }

  clone(): HeaderScenarioState {
    const copy = new HeaderScenarioState(this.#grow)
    for (const [name, { states }] of this.#states) {
      const state: StoredState = {
        states: new Map(Array.from(states, ([id, memory]) => [id, memory.clone() as HeaderState])),
        bytes: 0,
      }
      copy.#states.set(name, state)
      copy.#count(state, sizeOf(name, state.states))
    }
    return copy
  }

  end(): void {
    this.#grow(-this.bytes)
    this.bytes = 0
  }

  #count(state: StoredState, bytes: number): void {
    const more = bytes - state.bytes
    state.bytes = bytes
    this.bytes += more
    this.#grow(more)
  }
}

export function toStateName({ name, options }: NamedScenario): string {
  const text = JSON.stringify([name, options])
  return text.length <= longestName ? text : toDigest(text)
}

function sizeOf(name: string, states: ReadonlyMap<string, HeaderState>): number {
  let bytes = byteSizeOf(name) + scenarioSize
  for (const state of states.values()) bytes += state.bytes
  return bytes
}
