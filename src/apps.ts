export { apps } from './greenhouse/apps.ts'
export type { AreaPart } from './greenhouse/make-catalogue.ts'
