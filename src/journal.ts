export { journal } from './core/journal/part.ts'
export type { JournalMemory, JournalPart } from './core/journal/part.ts'
