import type { Assume } from '../../core/definitions/assumptions.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import { appAssumptions } from './assumptions.ts'

type Assuming = Pick<Exchange, 'assume'>

export const createdStatus = (exchange: Assuming) => Number(exchange.assume(appAssumptions, 'apps.create.status'))

export const deletedStatus = (exchange: Assuming) => Number(exchange.assume(appAssumptions, 'apps.delete.status'))

export const created = (assume: Assume) => [createdStatus({ assume })]

export const deleted = (assume: Assume) => [deletedStatus({ assume })]

export const accepted = () => [202]
