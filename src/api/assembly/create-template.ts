import { watchValues } from '../../core/contract/assumptions.ts'
import type { JournalRecordListener } from '../../core/journal/journal.ts'
import type { RequestValidator } from '../../core/journal/violation.ts'
import { SecretFinder } from '../../core/secrets/secret-finder.ts'
import { systemNow } from '../../core/time/clock.ts'
import { toClockTime } from '../../core/time/time-text.ts'
import { toNamedScenarios } from '../../core/world/world-scenarios.ts'
import type { WorldTemplate } from '../../core/world/world-template.ts'
import { createEffectiveSettings } from '../../core/world/effective-settings.ts'
import type { Fixtures } from '../../fixtures/check.ts'
import type { GreenhouseOptions } from '../greenhouse.ts'
import type { Hooks, Parts } from './parts.ts'

export interface TemplateContext {
  readonly parts: Parts
  readonly hooks: Hooks
  readonly listeners: ReadonlySet<JournalRecordListener>
  readonly validator: RequestValidator | undefined
}

export function createWorldTemplate(
  { parts, hooks, listeners, validator }: TemplateContext,
  { fixtures, scenarios = {}, seed = 1, now, frozen = false, assumptions = {}, use = [], journal }: GreenhouseOptions,
): Omit<WorldTemplate, 'transport' | 'memory' | 'createHistory' | 'replies' | 'changes' | 'notify'> {
  const { catalogue, fixtures: fixturePart, scenarios: scenarioPart, journal: journalPart } = parts
  const { onAssumptionRead, initialRecordsAt: given, restarts = 0 } = hooks
  const { areas, collections, contract, definitions, assumptionRegistry, custom } = catalogue
  const records = fixtures as Fixtures | undefined
  fixturePart.check(records, collections, custom.fixtures)
  const library = scenarioPart.createLibrary({ ...custom.scenarios, ...scenarios }, contract)
  const start = now === undefined ? undefined : toClockTime(now)
  const initialRecordsAt = given ?? start ?? systemNow()
  const initialRecords = fixturePart.initialRecords(records, initialRecordsAt, custom.fixtures)
  custom.check?.(initialRecords)
  const values = assumptionRegistry.resolve(assumptions as Record<string, string>)
  const effectiveSettings = createEffectiveSettings(
    [],
    onAssumptionRead ? watchValues(values, onAssumptionRead) : values,
  )
  const pending = areas.flatMap((area) => area.pending ?? [])
  return {
    hosts: new Set(),
    eventListeners: [
      ...areas.flatMap((area) => area.listen ?? []),
      ...(custom.hooks.onEvent ? [custom.hooks.onEvent] : []),
    ],
    lifecycles: areas.flatMap((area) => area.lifecycles ?? []),
    pending,
    seed,
    restarts,
    now: start,
    frozen,
    assumptionRegistry,
    effectiveSettings,
    scenarios: toNamedScenarios(use, library),
    createJournal: journalPart.open(journal, {
      operations: contract.operations.map(({ id }) => id),
      missing: contract.missing,
      validator,
      listeners,
    }),
    secretCollections: collections.filter(({ secrets }) => secrets !== undefined),
    tokens: { finder: new SecretFinder([]) },
    library,
    createHeaderLayer: scenarioPart.createHeaderLayer,
    initialRecordsAt,
    collections,
    scopes: contract.scopes,
    // A built-in collection may have a schema with more names.
    initialRecordsOf: (collection) =>
      initialRecords.of((definitions[collection.name] ?? collection) as typeof collection),
    pendingRecords: () => initialRecords.pending(pending),
  }
}
