export { plants } from './greenhouse/assembly/plants.ts'
export type { AreaPart } from './greenhouse/assembly/make-catalogue.ts'
