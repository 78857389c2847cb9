import { codedError } from '../text/error-codes.ts'
import { withChoices } from '../contract/assumptions.ts'
import {
  activate,
  type ScenarioEnvironment,
  assertProducible,
  type LiveScenario,
  createEffectiveSettings,
  type EffectiveSettings,
  toChoice,
  parseChoices,
} from './effective-settings.ts'
import { HeaderLayer, type HeaderStates } from './header-layer.ts'
import { assertFewInline, inlineSizeOf, type ParsedChoice } from './scenario-choice.ts'
import type { OutsideChange, StateChange } from './changes.ts'
import type { CallerSource } from '../accounts/accounts.ts'
import type { WorldClock } from '../time/world-clock.ts'
import type { NamedMemory, UnchangedScenario, WorldTemplate } from './world-template.ts'
import type { Fields, Texts } from '../text/values.ts'

interface StartingState {
  readonly active: readonly LiveScenario[]
  readonly assumptions: ReadonlyMap<string, string>
}

export interface SavedScenarios extends StartingState {
  readonly headerState: HeaderStates | undefined
}

interface UseOptions {
  readonly options?: Fields
  readonly index?: number
  readonly isOnly?: boolean
}

/** The world that has the scenarios. */
export interface ScenarioOwner extends NamedMemory, CallerSource {
  readonly clock: WorldClock
  readonly seed: number
  recordChange(change: OutsideChange): void
  settingsChanged(): void
  notifyState(type: StateChange['type']): void
}

export class WorldScenarios {
  readonly #world: ScenarioOwner
  readonly #template: WorldTemplate
  #assumptions: ReadonlyMap<string, string>
  active: readonly LiveScenario[]
  /** The scenarios that headers of requests name; absent until one does. */
  #headerLayer: HeaderLayer | undefined
  effectiveSettings: EffectiveSettings

  constructor(
    world: ScenarioOwner,
    template: WorldTemplate,
    { active, assumptions }: StartingState,
  ) {
    this.#world = world
    this.#template = template
    this.active = active
    this.#assumptions = assumptions
    this.effectiveSettings = this.#derive()
  }

  /**
   * Returns the settings of one request whose header adds scenarios to those of the world. Their
   * counters continue from request to request. @throws RangeError
   */
  settingsUnder(header: string): EffectiveSettings {
    this.#headerLayer ??= new HeaderLayer()
    return this.#headerLayer.settingsUnder(header, {
      environment: this.#environment,
      active: this.active,
      assumptions: this.#assumptions,
      seed: this.#world.seed,
      now: this.#world.clock.now(),
    })
  }

  /**
   * One with the same name is replaced. @param index the position among the others. @throws
   * RangeError, TypeError, DataMemoryError; then nothing has changed.
   */
  use(choices: readonly unknown[], { options, index, isOnly = false }: UseOptions = {}): void {
    const { library } = this.#template
    const others = isOnly ? [] : this.active
    this.#world.clock.during(() => {
      // Each choice gets a name: an inline one without a title gets a free one.
      const taken = others.map(({ name }) => name)
      const parsed = parseChoices(choices, library, taken)
      const chosen = options ? parsed.map((scenario) => withOptions(scenario, options)) : parsed
      // A scenario that is active already is replaced, not doubled.
      const names = new Set(chosen.map(({ name }) => name))
      const rest = others.filter(({ name }) => !names.has(name))
      const next = [...rest, ...chosen]
      assertFewInline(next)
      this.#world.memory.reserve(inlineSizeOf(next) - inlineSizeOf(this.active))
      // This may throw: the world has changed nothing so far.
      const added = chosen.map((scenario) => this.#activate(scenario))
      this.active = rest.toSpliced(index ?? rest.length, 0, ...added)
      this.#settle()
      // A case repeats the change.
      const recorded = added.map(toChoice)
      this.#world.recordChange(
        isOnly
          ? { use_only: recorded }
          : {
              use: recorded,
              place: index,
            },
      )
    })
    this.#world.notifyState('scenarios')
  }

  clear(name?: string): void {
    if (name !== undefined) this.assertKnown(name, 'clear')
    this.active = name === undefined ? [] : this.active.filter((one) => one.name !== name)
    this.#settle()
    this.#world.recordChange({ clear: name ?? true })
    this.#world.notifyState('scenarios')
  }

  /** @param others names that are known here, too. @throws UnknownScenarioError */
  assertKnown(name: string, purpose: string, others: readonly string[] = []): void {
    const names = [...new Set([...others, ...this.active.map((active) => active.name)])]
    if (!names.includes(name)) this.#template.library.assertKnown(name, purpose, names)
  }

  assume(choices: Texts): void {
    this.#assumptions = withChoices(
      this.#assumptions,
      this.#template.assumptionRegistry.checkAll(choices),
    )
    this.#settle()
    this.#world.recordChange({ assume: choices })
    this.#world.notifyState('assumptions')
  }

  reseed(): void {
    // Their counters and random draws begin again.
    this.#headerLayer?.restore()
  }

  save(): SavedScenarios {
    return {
      assumptions: this.#assumptions,
      active: this.active.map((scenario) => scenario.fork()),
      headerState: this.#headerLayer?.state.clone(),
    }
  }

  /** @throws UnsupportedFaultError if a host of the Greenhouse can't produce a saved scenario */
  assertSupported({ active }: SavedScenarios): void {
    for (const host of this.#template.hosts)
      for (const scenario of active) assertProducible(scenario, host)
  }

  /** The world learns it from its caller, who restores the rest of the state as well. */
  restore({ active, assumptions, headerState }: SavedScenarios): void {
    this.#assumptions = assumptions
    this.active = active.map((scenario) => scenario.fork())
    if (headerState) this.#headerLayer ??= new HeaderLayer()
    this.#headerLayer?.restore(headerState)
    this.#apply()
  }

  get #environment(): ScenarioEnvironment {
    const { library, hosts } = this.#template
    return {
      library,
      hosts,
      callers: this.#world,
    }
  }

  /** Activates scenarios whose files changed. Returns those that stay, as their files are wrong. */
  applyReload(changed: ReadonlySet<string>): UnchangedScenario[] {
    const stayed: UnchangedScenario[] = []
    this.active = this.active.map((scenario) => {
      if (scenario.inline || !changed.has(scenario.name)) return scenario
      try {
        return this.#activate(scenario)
      } catch (error) {
        stayed.push({
          world: this.#world.name,
          scenario: scenario.name,
          reason: (error as Error).message,
        })
        return scenario
      }
    })
    this.#settle()
    return stayed
  }

  get bytes(): number {
    let bytes = this.#headerLayer?.state.bytes ?? 0
    for (const scenario of this.active) bytes += scenario.bytes
    return bytes
  }

  /** Puts what was changed in force. */
  #settle(): void {
    this.#apply()
    this.#world.settingsChanged()
  }

  #apply(): void {
    this.#headerLayer?.clear()
    this.effectiveSettings = this.#derive()
  }

  #derive(): EffectiveSettings {
    const { effectiveSettings } = this.#template
    if (this.active.length > 0 || this.#assumptions !== effectiveSettings.assumptions)
      return createEffectiveSettings(this.active, this.#assumptions)
    // Most worlds have the settings that all start with, and share them.
    return effectiveSettings
  }

  #activate(choice: ParsedChoice): LiveScenario {
    const { clock, seed } = this.#world
    return activate(this.#environment, choice, {
      now: clock.now(),
      seed,
    })
  }
}

function withOptions(scenario: ParsedChoice, options: Fields): ParsedChoice {
  if (!scenario.inline)
    return {
      ...scenario,
      options: { ...scenario.options, ...options },
    }
  throw codedError(
    'GREENHOUSE_INVALID_ARGUMENT',
    'Failed to use an inline scenario: it takes no options. Write the values into its effects, such as { respond: [{ on: "apps.list", status: 500 }] }.',
  )
}
