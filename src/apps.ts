export { apps } from './api/assembly/apps.ts'
export type { AreaPart } from './api/assembly/fold-areas.ts'
