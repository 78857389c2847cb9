export { scenarios } from './scenarios/default.ts'
export { ownScenarios } from './scenarios/part.ts'
export type { ScenarioPart } from './scenarios/part.ts'
