import type { Assume } from '../../core/definitions/assumptions.ts'
import { appAssumptions } from './assumptions.ts'

/** Returns the status of a creation, under `apps.create.status`. */
export const created = (assume: Assume) => [Number(assume(appAssumptions, 'apps.create.status'))]

/** Returns the status of a deletion, under `apps.delete.status`. */
export const deleted = (assume: Assume) => [Number(assume(appAssumptions, 'apps.delete.status'))]

/** Returns 202: the work is done later. */
export const accepted = () => [202]
