import { toScenarioText } from '../../core/text/messages.ts'
import type { Contract } from '../../core/pipeline/area.ts'
import type { Effect } from '../../core/pipeline/effect.ts'
import type { LiveScenario } from '../../core/world/effective-settings.ts'
import type { InlineSource } from '../../core/world/scenario-choice.ts'
import type { Finding } from '../../core/store/validation-message.ts'
import type { CheckedFile } from './check.ts'
import type { Activation } from './condition.ts'
import type { ParsedEffects } from './effect-kind.ts'
import { narrow } from './narrow.ts'
import { conditionOptions, fillIn, findPlaceholders, withOwnPlans } from './options.ts'
import { optionsAt, rejectFinding, chooseOptions } from './choose-options.ts'
import { effectsOf, readEffects, type ScenarioFile } from './schema.ts'
import type { Fields } from '../../core/text/values.ts'

/** A scenario file with its name. The effects of a bundled one are read as it is used. */
export interface NamedFile extends Partial<CheckedFile> {
  readonly name: string
  readonly file: ScenarioFile
  /** Where the file is, unless it comes from code or is bundled. */
  readonly path?: string
  readonly isBundled: boolean
}

/** A scenario with its options filled in, before it is switched on. */
export interface PreparedScenario {
  readonly name: string
  readonly options: Fields
  readonly text: string
  readonly inline?: InlineSource
  readonly effects: ParsedEffects
}

/** Fills the options of a scenario in. @throws RejectedOptionError for wrong ones */
export function prepareScenario(
  named: NamedFile,
  chosen: Fields,
  contract: Contract,
): PreparedScenario {
  const { name, file } = named
  // What was chosen is an option of the file, or a condition, which every scenario takes.
  const declared = withOwnPlans(file.options ?? {}, contract.plans)
  const known = {
    declared,
    conditions: withOwnPlans(conditionOptions, contract.plans),
  }
  const placeholders = findPlaceholders(effectsOf(file))
  const { values, narrowing } = chooseOptions(name, known, placeholders, chosen)
  // The options fill the effects in. With all of them at their defaults, the check of the file has
  // read these effects already.
  const differing = Object.entries(values).filter(
    ([option, value]) => value !== declared[option]?.default,
  )
  const changed = Object.fromEntries(differing)
  const unchanged = differing.length === 0 ? named.effects : undefined
  const effects = unchanged ?? readFilledIn(named, values, Object.keys(changed), contract)
  // The conditions narrow when the effects act.
  const isNarrowed = Object.keys(narrowing).length > 0
  return {
    name,
    options: { ...values, ...narrowing },
    text: toScenarioText({
      ...changed,
      ...narrowing,
      name,
    }),
    effects: isNarrowed ? narrow(name, effects, narrowing, contract) : effects,
  }
}

/**
 * Reads the effects of a file with the values of its options, without the parts that no served area
 * has. @param changed the options that are not at their defaults. @throws RejectedOptionError
 */
function readFilledIn(
  { name, file, isBundled }: NamedFile,
  values: Fields,
  changed: readonly string[],
  contract: Contract,
): ParsedEffects {
  const members = effectsOf(file)
  const placeholders = findPlaceholders(members)
  const { effects, findings } = readEffects(fillIn(members, values), contract)
  // Every mistake in the user's own file is his. A bundled file is wrong only where it names an area
  // that is not served, which is his mistake only if an option that he changed stands there.
  const isFaultOfUser = (finding: Finding) =>
    !isBundled || optionsAt(finding, placeholders).some((option) => changed.includes(option))
  const wrong = findings.find(isFaultOfUser)
  if (wrong) rejectFinding(name, wrong, placeholders, values)
  // What is left are parts for areas that are not served. They are left out: without Area B,
  // `respond: [{ on: apps.list, … }, { on: plants.list, … }]` keeps the second one, as the first
  // finding has a path such as `respond.0.on`.
  return effects.map(({ kind, spec }) => {
    const ofKind = findings.filter(({ path }) => path[0] === kind.name)
    const missing = ofKind.map(({ path }) => String(path[1]))
    return {
      kind,
      spec: withoutParts(spec as object, missing),
    }
  })
}

function withoutParts(spec: object, names: readonly string[]): object {
  const kept = Object.entries(spec).filter(([name]) => !names.includes(name))
  return Array.isArray(spec) ? kept.map(([, item]) => item as unknown) : Object.fromEntries(kept)
}

const activeScenarioSize = 4_000

/** Switches a scenario on: its effects begin to count. */
export function toActive(prepared: PreparedScenario, activation: Activation): LiveScenario {
  const { name, options, text, inline, effects: parts } = prepared
  const effects: Effect[] = parts.flatMap(({ kind, spec }) => kind.create(spec, activation))
  return {
    name,
    options,
    inline,
    text,
    effects,
    get bytes() {
      return activeScenarioSize + (inline?.bytes ?? 0) + activation.bytes
    },
    get isReusable() {
      return activation.isReusable
    },
    fork: () => toActive(prepared, activation.fork()),
  }
}
