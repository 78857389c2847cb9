import type { CallerSource } from '../accounts/accounts.ts'
import { withChoices } from '../contract/assumptions.ts'
import type { WorldMemory } from '../store/data-memory.ts'
import { systemNow } from '../time/clock.ts'
import { toClockTime } from '../time/time-text.ts'
import { activate, type CoreActiveScenario, toNamedScenarios } from './effective-settings.ts'
import { assertFewInline, inlineSizeOf } from './scenario-choice.ts'
import type { CoreWorldStart, WorldTemplate } from './world-template.ts'

export interface StartedFrom {
  readonly seed: number
  readonly restarts: number
  readonly now: number
  readonly frozen: boolean
  readonly assumptions: ReadonlyMap<string, string>
  readonly scenarios: readonly object[]
  /** The time that times in fixtures are relative to, in milliseconds since 1970. */
  readonly initialRecordsAt: number
}

export interface ParsedStart extends Pick<StartedFrom, 'seed' | 'frozen' | 'assumptions'> {
  /** In milliseconds since 1970; `undefined` for a clock that runs with the machine's. */
  readonly now: number | undefined
  readonly active: readonly CoreActiveScenario[]
}

/** Nothing changes yet. @param initialRecordsOf the records that the world will have: its scenarios may name their accounts. */
export function parseStart(
  { name, memory }: { readonly name: string; readonly memory: WorldMemory },
  template: WorldTemplate,
  start: CoreWorldStart,
  initialRecordsOf: CallerSource['initialRecordsOf'] = template.initialRecordsOf,
): ParsedStart {
  const { library, hosts, effectiveSettings, assumptionRegistry } = template
  const { seed = template.seed, frozen = template.frozen } = start
  const at = start.now === undefined ? template.now : toClockTime(start.now)
  const now = at ?? systemNow()
  const assumptions = start.assumptions
    ? withChoices(effectiveSettings.assumptions, assumptionRegistry.checkAll(start.assumptions))
    : effectiveSettings.assumptions
  const chosen = start.scenarios ? toNamedScenarios(start.scenarios, library) : template.scenarios
  assertFewInline(chosen)
  memory.reserve(inlineSizeOf(chosen) - memory.used)
  const callers = { name, collection: initialRecordsOf, initialRecordsOf }
  const active = chosen.map((scenario) => activate({ library, hosts, callers }, scenario, now, seed))
  return { seed, now: frozen ? now : at, frozen, assumptions, active }
}
