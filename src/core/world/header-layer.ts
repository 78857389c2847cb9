import { toDigest } from '../secrets/known-secrets.ts'
import { byteSizeOf } from '../store/memory.ts'
import {
  activate,
  type ScenarioEnvironment,
  assertProducible,
  type LiveScenario,
  createEffectiveSettings,
  type EffectiveSettings,
  type EffectState,
} from './effective-settings.ts'
import { type ParsedChoice, parseChoiceText } from './scenario-choice.ts'

/** The most headers whose settings are cached, and the most characters of a cached header. */
const maxCachedHeaders = 16
const longestHeader = 1_000

/** The settings of the world, without the header of the request. */
interface HeaderBase {
  readonly environment: ScenarioEnvironment
  readonly active: readonly LiveScenario[]
  readonly assumptions: ReadonlyMap<string, string>
  readonly seed: number
  readonly now: number
}

/** A scenario of a header, with what its effects keep between requests. */
interface HeaderScenario {
  readonly name: string
  readonly states: Map<string, EffectState>
  readonly scenario: LiveScenario
}

interface CachedSettings {
  readonly headerScenarios: readonly HeaderScenario[]
  readonly effectiveSettings: EffectiveSettings
}

/**
 * Makes the settings of requests that name scenarios in a header. Clients repeat their headers, so
 * the settings are cached by the header's text as long as new ones would be equal.
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
    const headerScenarios = parseChoiceText(text).map((choice): HeaderScenario => {
      const name = toStateName(choice)
      const states = this.state.statesOf(name)
      const { environment, now, seed } = base
      return {
        name,
        states,
        scenario: activate(environment, choice, {
          now,
          seed,
          persistentStates: states,
        }),
      }
    })
    // The header's scenarios come after the world's, so they have the last word.
    const effectiveSettings = createEffectiveSettings(
      [...base.active, ...headerScenarios.map(({ scenario }) => scenario)],
      base.assumptions,
    )
    this.#remember(text, { headerScenarios, effectiveSettings })
    return effectiveSettings
  }

  clear(): void {
    this.#cache.clear()
  }

  restore(saved?: HeaderStates): void {
    this.state = saved?.clone() ?? new HeaderStates()
  }

  #remember(text: string, added: CachedSettings): void {
    if (text.length > longestHeader) return
    if (!added.headerScenarios.every(({ scenario }) => scenario.isReusable)) return
    // The header that was added first goes first.
    const [oldest = ''] = this.#cache.keys()
    if (this.#cache.size >= maxCachedHeaders) this.#cache.delete(oldest)
    this.#cache.set(text, added)
  }
}

/**
 * Returns whether new settings would equal the cached ones. Looks up all scenarios in any case, so
 * that they count as used.
 */
function isUnchanged(
  { headerScenarios }: CachedSettings,
  { environment }: HeaderBase,
  state: HeaderStates,
): boolean {
  let isSame = true
  for (const { name, states, scenario } of headerScenarios) {
    for (const host of environment.hosts) assertProducible(scenario, host)
    if (state.statesOf(name) !== states) isSame = false
  }
  return isSame
}

/**
 * The most scenarios whose states are kept, and the most bytes of all states. Past either limit,
 * the least recently used scenario starts again.
 */
const maxStates = 64
const maxBytes = 2 ** 25

/** The bytes of a scenario in cached settings, and of its entry here. */
const scenarioSize = 4_200

/** A longer name of a state is replaced by its digest. */
const longestName = 100

/** The state of headers' scenarios between requests, such as their counters. */
export class HeaderStates {
  readonly #states = new Map<string, Map<string, EffectState>>()

  statesOf(name: string): Map<string, EffectState> {
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

/** Returns the name of a scenario's states: equal choices share them, whatever the header. */
function toStateName({ name, options }: ParsedChoice): string {
  const text = JSON.stringify([name, options])
  if (text.length <= longestName) return text
  return toDigest(text)
}

function sizeOfStates(name: string, states: ReadonlyMap<string, EffectState>): number {
  let bytes = byteSizeOf(name) + scenarioSize
  for (const state of states.values()) bytes += state.bytes
  return bytes
}
