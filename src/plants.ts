export { plants } from './api/assembly/plants.ts'
export type { AreaPart } from './api/assembly/make-catalogue.ts'
