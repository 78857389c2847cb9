export { judge } from './greenhouse/assembly/judge.ts'
export type { JudgePart } from './greenhouse/assembly/core.ts'
