export { journal } from './core/journal/part.ts'
export type { JournalMemory } from './core/journal/part.ts'
