import { plantsArea } from '../../areas/plants/index.ts'
import type { AreaPart } from './fold-areas.ts'

/** Area A, the plant store, for `createGreenhouse` of `greenhouse-mock/parts`. */
export const plants: AreaPart = { name: 'plants', area: plantsArea }
