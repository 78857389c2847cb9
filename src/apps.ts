export { apps } from './greenhouse/assembly/apps.ts'
export type { AreaPart } from './greenhouse/assembly/make-catalogue.ts'
