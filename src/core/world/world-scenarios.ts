import { withChoices } from '../contract/assumptions.ts'
import type { WorldMemory } from '../store/data-memory.ts'
import {
  activate,
  type Activating,
  assertProducible,
  type CoreActiveScenario,
  createEffectiveSettings,
  type EffectiveSettings,
  type ScenarioSource,
} from './effective-settings.ts'
import type { HeaderLayer, HeaderScenarioState } from './header-layer.ts'
import {
  assertFewInline,
  type CoreScenarioChoice,
  inlineSizeOf,
  isInline,
  type NamedScenario,
  toFreeName,
  toInlineName,
  toNamedScenario,
} from './scenario-choice.ts'
import type { UnchangedScenario, WorldTemplate } from './world-template.ts'
import type { CoreWorld } from './world.ts'

export interface ScenarioState {
  readonly active: readonly CoreActiveScenario[]
  readonly assumptions: ReadonlyMap<string, string>
  readonly headerState: HeaderScenarioState | undefined
}

export interface ScenarioSwitch {
  readonly replacesAll?: boolean
  /** The position among the active ones; at the end by default. */
  readonly index?: number | undefined
  /** Options that replace those of the choices. */
  readonly options?: Readonly<Record<string, unknown>> | undefined
}

export class WorldScenarios {
  readonly #world: CoreWorld
  readonly #template: WorldTemplate
  readonly #memory: WorldMemory
  #assumptions: ReadonlyMap<string, string>
  active: readonly CoreActiveScenario[]
  #header: HeaderLayer | undefined
  #activeBytes = 0
  effectiveSettings!: EffectiveSettings

  /** Call `refresh` once the world has it. */
  constructor(
    world: CoreWorld,
    template: WorldTemplate,
    memory: WorldMemory,
    { active, assumptions }: Pick<ScenarioState, 'active' | 'assumptions'>,
  ) {
    this.#world = world
    this.#template = template
    this.#memory = memory
    this.active = active
    this.#assumptions = assumptions
  }

  overlaid(header: string): EffectiveSettings {
    const layer = this.#headerLayer()
    // Without scenarios, every name is unknown.
    if (!layer) this.#template.library.assertKnown(header, 'use', [])
    return layer!.overlaid(header, {
      origin: this.#activating,
      active: this.active,
      assumptions: this.#assumptions,
      seed: this.#world.seed,
      now: this.#world.clock.now(),
    })
  }

  activate(choice: NamedScenario): CoreActiveScenario {
    return activate(this.#activating, choice, this.#world.clock.now(), this.#world.seed)
  }

  /** Parses choices, activates them, and puts them among the active ones. Throws before anything changes. Returns the new ones. */
  use(
    choices: readonly CoreScenarioChoice[],
    { replacesAll = false, index = Infinity, options }: ScenarioSwitch = {},
  ): CoreActiveScenario[] {
    const former = replacesAll ? [] : this.active
    const named = toNamedScenarios(
      choices,
      this.#template.library,
      former.map(({ name }) => name),
    )
    if (options !== undefined && named.some(({ inline }) => inline))
      throw new TypeError(
        'Failed to use an inline scenario: it takes no options. Write the values into its effects, such as { respond: [{ on: "apps.list", status: 500 }] }.',
      )
    const names = new Set(named.map(({ name }) => name))
    const rest = former.filter(({ name }) => !names.has(name))
    const next = [...rest, ...named]
    assertFewInline(next)
    this.#memory.reserve(inlineSizeOf(next) - inlineSizeOf(this.active))
    const added = named.map((scenario) =>
      this.activate(options ? { ...scenario, options: { ...scenario.options, ...options } } : scenario),
    )
    this.active = rest.toSpliced(index, 0, ...added)
    this.refresh()
    return added
  }

  clear(name?: string): void {
    const names = this.active.map((active) => active.name)
    if (name !== undefined && !names.includes(name)) this.#template.library.assertKnown(name, 'clear', names)
    this.active = name === undefined ? [] : this.active.filter((active) => active.name !== name)
    this.refresh()
  }

  assume(choices: Readonly<Record<string, string>>): void {
    const checked = Object.entries(choices).map(
      ([id, value]) => [id, this.#template.assumptionRegistry.check(id, value)] as const,
    )
    this.#assumptions = withChoices(this.#assumptions, checked)
    this.refresh()
  }

  reseed(): void {
    this.#header?.reseed()
  }

  save(): ScenarioState {
    return {
      assumptions: this.#assumptions,
      active: this.active.map((scenario) => scenario.fork()),
      headerState: this.#header?.save(),
    }
  }

  assertProducible({ active }: ScenarioState): void {
    for (const host of this.#template.hosts) for (const scenario of active) assertProducible(scenario, host)
  }

  /** Call `refresh` afterwards. */
  restore({ active, assumptions, headerState }: ScenarioState): void {
    this.#assumptions = assumptions
    this.active = active.map((scenario) => scenario.fork())
    if (headerState) this.#headerLayer()?.restore(headerState)
    else this.#header?.reseed()
  }

  get #activating(): Activating {
    const { library, hosts } = this.#template
    return { library, hosts, callers: this.#world }
  }

  #headerLayer(): HeaderLayer | undefined {
    return (this.#header ??= this.#template.createHeaderLayer?.((bytes) => this.#memory.grow(bytes)))
  }

  follow(changed: ReadonlySet<string>): UnchangedScenario[] {
    const stayed: UnchangedScenario[] = []
    this.active = this.active.map((scenario) => {
      if (scenario.inline || !changed.has(scenario.name)) return scenario
      try {
        return this.activate(scenario)
      } catch (error) {
        stayed.push({ world: this.#world.name, scenario: scenario.name, reason: (error as Error).message })
        return scenario
      }
    })
    this.refresh()
    return stayed
  }

  updateSize(): void {
    let bytes = 0
    for (const scenario of this.active) bytes += scenario.bytes
    if (bytes === this.#activeBytes) return
    this.#memory.grow(bytes - this.#activeBytes)
    this.#activeBytes = bytes
  }

  refresh(): void {
    this.updateSize()
    this.#header?.clear()
    const { effectiveSettings, lifecycles } = this.#template
    this.effectiveSettings =
      this.active.length === 0 && this.#assumptions === effectiveSettings.assumptions
        ? effectiveSettings
        : createEffectiveSettings(this.active, this.#assumptions)
    for (const lifecycle of lifecycles) lifecycle.refresh?.(this.#world)
  }
}

export function toNamedScenarios(
  choices: readonly unknown[],
  library: ScenarioSource,
  taken: Iterable<string> = [],
): NamedScenario[] {
  const names = new Set(taken)
  for (const choice of choices) {
    const title = isInline(choice) ? (choice as { title?: unknown }).title : undefined
    if (typeof title === 'string') names.add(toInlineName(title))
  }
  return choices.map((choice) => {
    if (!isInline(choice)) return toNamedScenario(choice)
    const scenario = library.readInline(choice, () => toFreeName(names, (name) => library.has(name)))
    names.add(scenario.name)
    return scenario
  })
}
