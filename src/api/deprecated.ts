import type { Unchanged, UnchangedRecords, UnchangedScenario } from '../core/world/world-template.ts'

/** @deprecated Use `Unchanged`. */
export type Kept = Unchanged
/** @deprecated Use `UnchangedRecords`. */
export type KeptRecords = UnchangedRecords
/** @deprecated Use `UnchangedScenario`. */
export type KeptScenario = UnchangedScenario
