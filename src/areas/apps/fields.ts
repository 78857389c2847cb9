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

/** Refuses a text that is longer than `apps.text-length`, wherever it stands in the body. @throws ApiError 400 */
export function assertTextLengths(exchange: Exchange, sent: Readonly<Record<string, unknown>>): void {
  const longest = Number(exchange.assume(appAssumptions, 'apps.text-length'))
  const place = findLongText(sent, longest)
  if (place) throw new ApiError('invalid_request', `${place.join('.').slice(0, 100)}: expected at most ${longest} characters.`)
}

/** Where the first text stands that is longer than `longest`. */
function findLongText(value: unknown, longest: number): string[] | undefined {
  if (typeof value === 'string') return value.length > longest ? [] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const place = findLongText(member, longest)
    if (place) return [name, ...place]
  }
  return undefined
}
