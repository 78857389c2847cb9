export { plants } from './api/assembly/plants.ts'
export type { AreaPart } from './api/assembly/fold-areas.ts'
