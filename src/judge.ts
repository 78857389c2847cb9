export { judge } from './greenhouse/judge.ts'
export type { JudgePart } from './greenhouse/core.ts'
