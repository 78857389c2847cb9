import { ApiError } from '../../core/errors.ts'
import type { Exchange } from '../../core/exchange.ts'
import { appAssumptions } from './assumptions.ts'
import { brief } from '../../core/quote.ts'

/** Refuses fields that the schema did not keep, where `apps.unknown-fields` is `reject`. @throws ApiError 400 */
export function assertKnownFields(exchange: Exchange, sent: Readonly<Record<string, unknown>>, known: object): void {
  if (exchange.assume(appAssumptions, 'apps.unknown-fields') === 'ignore') return
  const unknown = Object.keys(sent).find((field) => !Object.hasOwn(known, field))
  if (unknown !== undefined) throw new ApiError('invalid_request', `${brief(unknown)}: this field is not known.`)
}
