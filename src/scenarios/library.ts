import en from 'zod/v4/locales/en.js'
import type { Ledger } from '../core/assumptions.ts'
import type { ActiveScenario, ScenarioSource } from '../core/effect.ts'
import { suggest } from '../core/suggest.ts'
import { fillIn, readOptions, type OptionDeclaration } from './options.ts'
import { effectKinds, type ScenarioFile } from './schema.ts'

const inEnglish = { error: en().localeError }

/** What is told of a scenario. */
export interface ScenarioSummary {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What in a client it exercises. */
  readonly covers: string
  readonly options: Readonly<Record<string, OptionDeclaration>>
}

/** The scenarios that worlds can switch on, by name. */
export class ScenarioLibrary implements ScenarioSource {
  readonly #files: ReadonlyMap<string, ScenarioFile>
  readonly #ledger: Ledger

  /** @param files that `checkScenario` found nothing wrong with. */
  constructor(files: ReadonlyMap<string, ScenarioFile>, ledger: Ledger) {
    this.#files = files
    this.#ledger = ledger
  }

  /** All of them, by name. */
  list(): ScenarioSummary[] {
    return [...this.#files.keys()].sort().map((name) => this.describe(name))
  }

  /** One of them. @throws RangeError when there is none of that name. */
  describe(name: string): ScenarioSummary {
    const { title, description, covers, options = {} } = this.#file(name)
    return { name, title, description, covers, options }
  }

  activate(name: string, chosen: Readonly<Record<string, unknown>>, now: number): ActiveScenario {
    const file = this.#file(name)
    const options = readOptions(name, file.options ?? {}, chosen)
    const effects = effectKinds
      .filter((kind) => Object.hasOwn(file, kind.name))
      .flatMap((kind) => {
        const spec = kind.schema.safeParse(fillIn(file[kind.name], options), inEnglish)
        if (spec.success) return kind.create(spec.data, { scenario: name, now })
        const [issue] = spec.error.issues
        throw new RangeError(`Failed to use the scenario "${name}" with these options: ${[kind.name, ...issue!.path].map(String).join('.')}: ${issue!.message}`)
      })
    for (const effect of effects)
      for (const [id, value] of Object.entries(effect.assumptions ?? {})) this.#ledger.check(id, value)
    return { name, options, effects }
  }

  #file(name: string): ScenarioFile {
    const file = this.#files.get(name)
    if (file) return file
    throw new RangeError(`Failed to use the scenario "${name}": there is none of that name.${suggest(name, [...this.#files.keys()])}`)
  }
}
