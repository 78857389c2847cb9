export { plants } from './greenhouse/plants.ts'
export type { AreaPart } from './greenhouse/make-catalogue.ts'
