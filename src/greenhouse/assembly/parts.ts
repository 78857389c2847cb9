import type { AssumptionListener } from '../../core/definitions/assumption-values.ts'
import type { JournalPart } from '../../core/journal/part.ts'
import type { Judge } from '../../core/journal/violation.ts'
import type { RoutedAreas } from '../../core/pipeline/judge/judged.ts'
import type { WorldlessListener } from '../../core/pipeline/service.ts'
import type { FixturePart } from '../../fixtures/part.ts'
import type { ScenarioPart } from '../../scenarios/part.ts'
import type { CasePart } from '../case/part.ts'
import type { Catalogue } from './make-catalogue.ts'
import type { WebhookTools } from './webhook-tools.ts'

/** The parts of a Greenhouse. */
export interface Parts {
  readonly catalogue: Catalogue
  /** The starting data of worlds. */
  readonly fixtures: FixturePart
  readonly scenarios: ScenarioPart
  readonly journal: JournalPart
  /** `world.trigger`, `world.grade` and `world.examine`; `undefined` without them. */
  readonly webhookTools: WebhookTools | undefined
  /** `world.toCase`; `undefined` without it. */
  readonly cases: CasePart | undefined
  /** Creates the judge; `undefined` without one. */
  readonly createJudge: ((areas: RoutedAreas) => Judge) | undefined
  /** The parts that were left out, by the last segment of their import path: `journal`, `apps`. */
  readonly leftOut: readonly string[]
}

/** Callbacks for internal tools, such as `flip` and strict tests. */
export interface Hooks {
  /** Called with the id of an assumption each time its value is read, in any world. */
  readonly onAssumptionRead?: AssumptionListener | undefined
  /** Called with each request that names no world, which gets a 400. Without this callback, the world `default` answers the request. */
  readonly onWorldless?: WorldlessListener | undefined
  /** The time that times of fixtures are relative to, if it is not the start of clocks. */
  readonly seededAt?: number | undefined
  /** How often other processes continued from the state that worlds start with. */
  readonly restarts?: number | undefined
}
