import { systemNow } from '../../core/time/clock.ts'
import {
  activate,
  assertProducible,
  explainRejection,
} from '../../core/world/effective-settings.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import type { ScenarioLibrary } from '../../scenarios/language/library.ts'
import type { ScenarioSummary } from '../../scenarios/language/scenario-summary.ts'
import type { ServiceTemplate } from './template.ts'

/** Adds a host that can't produce all faults. @throws RangeError if one of them is active */
export function addHost(
  template: ServiceTemplate,
  worlds: readonly LiveWorld[],
  host: string,
): void {
  const context = {
    now: template.now ?? systemNow(),
    seed: template.seed,
  }
  const started = template.scenarios.map((choice) => activate(template, choice, context))
  for (const scenario of [...started, ...worlds.flatMap((world) => world.scenarios.active)])
    assertProducible(scenario, host)
  template.hosts.add(host)
}

/** Lists scenarios, each with the reason if a host can't produce it. */
export function listScenarios(
  { library, hosts }: ServiceTemplate,
  search: string | undefined,
): ScenarioSummary[] {
  const all = library as ScenarioLibrary
  const found = search === undefined ? all.list() : all.search(search)
  if (hosts.size === 0) return found
  return found.map((summary) => {
    const scenario = library.activate({ name: summary.name, options: {} }, { now: 0, seed: 0 })
    const reasons = Array.from(hosts, (host) => explainRejection(scenario, host))
    const rejected = reasons.find((reason) => reason !== undefined)
    return rejected === undefined ? summary : { ...summary, rejected }
  })
}
