export { judge } from './api/assembly/judge.ts'
export type { JudgePart } from './api/assembly/core.ts'
