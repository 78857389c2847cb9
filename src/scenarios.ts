export { ownScenarios, scenarios } from './scenarios/language/part.ts'
export type { ScenarioPart } from './scenarios/language/part.ts'
