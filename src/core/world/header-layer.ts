import { toDigest } from '../secrets/known-secrets.ts'
import { byteSizeOf } from '../store/memory.ts'
import {
  activate,
  type Activating,
  assertProducible,
  type LiveScenario,
  createEffectiveSettings,
  type EffectiveSettings,
  type EffectState,
  type ScenarioSource,
} from './effective-settings.ts'
import { type ParsedChoice, parseChoiceText } from './scenario-choice.ts'

/** The most headers to keep, and the most characters of one. */
const max = 16
const longestText = 1_000

interface HeaderBase {
  readonly origin: Activating
  readonly active: readonly LiveScenario[]
  readonly assumptions: ReadonlyMap<string, string>
  readonly seed: number
  readonly now: number
}

interface HeaderScenario {
  readonly name: string
  readonly states: Map<string, EffectState>
  readonly scenario: LiveScenario
}

interface CachedSettings {
  readonly library: ScenarioSource
  readonly layered: readonly HeaderScenario[]
  readonly effectiveSettings: EffectiveSettings
}

/**
 * Caches the settings of headers, by the header's text, while new ones would be equal: clients
 * repeat them.
 */
export class HeaderLayer {
  readonly #cache = new Map<string, CachedSettings>()
  state = new HeaderStates()

  settingsUnder(text: string, base: HeaderBase): EffectiveSettings {
    // Clients repeat their header, so most requests end here.
    const cached = this.#cache.get(text)
    if (cached && isUnchanged(cached, base, this.state)) return cached.effectiveSettings
    this.#cache.delete(text)
    // Each scenario begins for this request, with the counters that it kept from earlier ones.
    const layered = parseChoiceText(text).map((choice): HeaderScenario => {
      const name = toStateName(choice)
      const states = this.state.of(name)
      const { origin, now, seed } = base
      return {
        name,
        states,
        scenario: activate(origin, choice, {
          now,
          seed,
          lasting: states,
        }),
      }
    })
    // The header's scenarios come after the world's, so they have the last word.
    const effectiveSettings = createEffectiveSettings(
      [...base.active, ...layered.map(({ scenario }) => scenario)],
      base.assumptions,
    )
    this.#add(text, {
      library: base.origin.library,
      layered,
      effectiveSettings,
    })
    return effectiveSettings
  }

  clear(): void {
    this.#cache.clear()
  }

  restore(saved?: HeaderStates): void {
    this.state = saved?.clone() ?? new HeaderStates()
  }

  #add(text: string, added: CachedSettings): void {
    if (text.length > longestText) return
    if (!added.layered.every(({ scenario }) => scenario.isReusable)) return
    const [oldest = ''] = this.#cache.keys()
    if (this.#cache.size >= max) this.#cache.delete(oldest)
    this.#cache.set(text, added)
  }
}

/** Returns whether new settings would be equal. Marks each scenario as used, as new ones would. */
function isUnchanged(
  { library, layered }: CachedSettings,
  { origin }: HeaderBase,
  state: HeaderStates,
): boolean {
  if (library !== origin.library) return false
  let same = true
  for (const { name, states, scenario } of layered) {
    for (const host of origin.hosts) assertProducible(scenario, host)
    if (state.of(name) !== states) same = false
  }
  return same
}

/**
 * The most scenarios to remember, and the most bytes of all. Past either, the least recently used
 * one starts again.
 */
const maxStates = 64
const maxBytes = 2 ** 25

/** The bytes of a scenario in cached settings, and of its entry here. */
const scenarioSize = 4_200

const longestName = 100

export class HeaderStates {
  readonly #states = new Map<string, Map<string, EffectState>>()

  of(name: string): Map<string, EffectState> {
    const states = this.#states.get(name) ?? new Map<string, EffectState>()
    this.#states.delete(name)
    this.#states.set(name, states)
    this.#makeRoom()
    return states
  }

  get bytes(): number {
    let bytes = 0
    for (const [name, states] of this.#states) bytes += sizeOfStates(name, states)
    return bytes
  }

  clone(): HeaderStates {
    const copy = new HeaderStates()
    for (const [name, states] of this.#states)
      copy.#states.set(
        name,
        new Map(Array.from(states, ([id, state]) => [id, state.clone() as EffectState])),
      )
    return copy
  }

  #makeRoom(): void {
    for (const oldest of this.#states.keys()) {
      if (this.#states.size === 1 || (this.#states.size <= maxStates && this.bytes <= maxBytes))
        return
      this.#states.delete(oldest)
    }
  }
}

export function toStateName({ name, options }: ParsedChoice): string {
  const text = JSON.stringify([name, options])
  if (text.length <= longestName) return text
  return toDigest(text)
}

function sizeOfStates(name: string, states: ReadonlyMap<string, EffectState>): number {
  let bytes = byteSizeOf(name) + scenarioSize
  for (const state of states.values()) bytes += state.bytes
  return bytes
}
