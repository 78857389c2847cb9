import type { Assume } from '../../core/definitions/assumptions.ts'
import { appAssumptions } from './assumptions.ts'

/** The status of a creation. */
export const created = (assume: Assume) => [Number(assume(appAssumptions, 'apps.create.status'))]

/** The status of a deletion. */
export const deleted = (assume: Assume) => [Number(assume(appAssumptions, 'apps.delete.status'))]

/** The status of work that is done later. */
export const accepted = () => [202]
