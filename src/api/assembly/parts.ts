import type { AssumptionListener } from '../../core/contract/assumptions.ts'
import type { JournalPart } from '../../core/journal/part.ts'
import type { RequestValidator } from '../../core/journal/violation.ts'
import type { RoutedAreas } from '../../core/pipeline/validate/judged.ts'
import type { WorldlessListener } from '../../core/pipeline/service.ts'
import type { FixturePart } from '../../fixtures/part.ts'
import type { ScenarioPart } from '../../scenarios/language/part.ts'
import type { CasePart } from '../../cases/part.ts'
import type { Additions } from '../../custom/definitions.ts'
import type { AreaPart, Catalogue } from './make-catalogue.ts'
import type { WebhookTools } from './webhook-tools.ts'

export interface Parts {
  readonly catalogue: Catalogue
  readonly fixtures: FixturePart
  readonly scenarios: ScenarioPart
  readonly journal: JournalPart
  readonly webhookTools: WebhookTools | undefined
  readonly cases: CasePart | undefined
  readonly createRequestValidator: ((areas: RoutedAreas) => RequestValidator) | undefined
  readonly leftOut: readonly string[]
}

export interface Hooks {
  readonly onAssumptionRead?: AssumptionListener | undefined
  /** Called with each request that names no world, which gets a 400. Without this callback, the world `default` answers the request. */
  readonly onWorldless?: WorldlessListener | undefined
  /** The time that times of fixtures are relative to, if it is not the start of clocks. */
  readonly initialRecordsAt?: number | undefined
  readonly restarts?: number | undefined
}

export function toExtended(catalogue: Catalogue, parts: readonly AreaPart[], additions: Additions): Catalogue {
  const { operations = [], collections = [], plugins = [] } = additions
  const [first] = [...operations, ...collections, ...plugins]
  return first ? first.extend(parts, additions) : catalogue
}
