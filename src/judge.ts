export { judge, type JudgePart } from './api/assembly/validation.ts'
