// A Greenhouse of parts
export { createGreenhouse } from './api/assembly/core.ts'
export type { CoreOptions } from './api/assembly/core.ts'
// Areas
export { plants } from './api/assembly/plants.ts'
export { apps } from './api/assembly/apps.ts'
export type { AreaPart } from './api/assembly/fold-areas.ts'
// What worlds start from, and what can go wrong
export { fixtures } from './fixtures/bundled.ts'
export { ownFixtures } from './fixtures/part.ts'
export type { FixturePart } from './fixtures/part.ts'
export { ownScenarios, scenarios } from './scenarios/language/part.ts'
export type { ScenarioPart } from './scenarios/language/part.ts'
// What sees requests
export { journal } from './core/journal/journal.ts'
export type { JournalMemory, JournalPart } from './core/journal/journal.ts'
export { judge } from './api/assembly/validation.ts'
export type { JudgePart } from './api/assembly/validation.ts'
export { webhookTools } from './api/assembly/webhook-tools.ts'
export type { WebhookTools } from './api/assembly/webhook-tools.ts'
// Cases
export { cases } from './cases/part.ts'
export type { CasePart } from './cases/part.ts'
export { parseJson } from './core/http/json.ts'
export { CaseStepError, replayCase } from './cases/replay.ts'
export type { CaseDifference, ReplayedCase, ReplayOptions } from './cases/replay.ts'
export { toCaseText } from './cases/format.ts'
