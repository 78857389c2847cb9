import { givenOf } from '../../core/contract/options.ts'
import type { Contract } from '../../core/pipeline/area.ts'
import { Activation, conditionNames } from './condition.ts'
import type { ParsedEffects } from './effect-kind.ts'
import { whyNotNarrowed } from './narrow.ts'
import { type NamedFile, type PreparedScenario, toActive } from './prepare.ts'
import { withOwnPlans } from './options.ts'
import type { ScenarioSummary } from './scenario-summary.ts'

/** Describes a scenario. @param prepared with its default options */
export function summarize(
  { name, file, path, isBundled }: NamedFile,
  prepared: PreparedScenario,
  contract: Contract,
): ScenarioSummary {
  const { title, description, covers, tags = [], options = {} } = file
  const conditions = conditionNames.filter(
    (condition) =>
      !Object.hasOwn(options, condition) &&
      whyNotNarrowed(condition, prepared.effects) === undefined,
  )
  // Only an effect that was created knows its fault, so the scenario is switched on, in no world. Its
  // time and seed do not matter.
  const { effects } = toActive(
    prepared,
    new Activation(name, contract, {
      now: 0,
      seed: 0,
    }),
  )
  return givenOf({
    name,
    title,
    description,
    covers,
    acts_on: reachOf(prepared.effects, contract),
    tags,
    options: withOwnPlans(options, contract.plans),
    conditions,
    bundled: isBundled,
    file: path,
    needs_connection: effects.find(({ wireFault }) => wireFault)?.wireFault,
  })
}

function reachOf(effects: ParsedEffects, contract: Contract): string[] {
  const reached = new Set(effects.flatMap(({ kind, spec }) => kind.reach(spec, contract)))
  const all = [...contract.areas.map(({ name }) => name), 'payments', 'webhooks']
  return all.filter((name) => reached.has(name))
}
