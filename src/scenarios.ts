export { scenarios } from './scenarios/language/default.ts'
export { ownScenarios } from './scenarios/language/part.ts'
export type { ScenarioPart } from './scenarios/language/part.ts'
