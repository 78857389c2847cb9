import { appsArea } from '../../areas/apps/index.ts'
import type { AreaPart } from './fold-areas.ts'

/** Area B, app management with its webhooks, for `createGreenhouse` of `greenhouse-mock/parts`. */
export const apps: AreaPart = { name: 'apps', area: appsArea }
