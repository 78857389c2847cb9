export { journal } from './core/journal/journal.ts'
export type { JournalMemory, JournalPart } from './core/journal/journal.ts'
