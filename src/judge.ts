export { judge } from './api/assembly/validation.ts'
export type { JudgePart } from './api/assembly/core.ts'
