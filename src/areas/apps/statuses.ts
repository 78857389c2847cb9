import type { Assume } from '../../core/definitions/assumptions.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import { appAssumptions } from './assumptions.ts'

type Assuming = Pick<Exchange, 'assume'>

/** Returns the status of a creation, under `apps.create.status`. */
export const createdStatus = (exchange: Assuming) => Number(exchange.assume(appAssumptions, 'apps.create.status'))

/** Returns the status of a deletion, under `apps.delete.status`. */
export const deletedStatus = (exchange: Assuming) => Number(exchange.assume(appAssumptions, 'apps.delete.status'))

/** The statuses of an operation that creates a record. */
export const created = (assume: Assume) => [createdStatus({ assume })]

/** The statuses of an operation that deletes a record. */
export const deleted = (assume: Assume) => [deletedStatus({ assume })]

/** The statuses of an operation whose work is done later. */
export const accepted = () => [202]
