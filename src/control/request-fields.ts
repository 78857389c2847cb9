import * as z from 'zod/mini'
import type { RequestQuery } from '../core/journal/matching.ts'
import { requestQuery } from '../core/journal/request-query.ts'
import {
  readSwitch,
  readTypedQuery,
  type TypedQuery,
  typedFields,
  typedPrefixes,
} from '../core/journal/typed-query.ts'
import { mapFields } from '../core/text/values.ts'
import { optional } from '../core/contract/zod.ts'
import { check } from './body.ts'
import { countParameter, flagParameter, openQuery, pageFields } from './shapes.ts'

type TypedFields = {
  readonly [Name in keyof typeof typedFields]: z.ZodMiniOptional<z.ZodMiniType<string>>
}

const fields = mapFields(typedFields, ({ describe, read }) =>
  optional(read === readSwitch ? flagParameter : z.string(), describe),
) as unknown as TypedFields

const maxFields = 50

/** The parameters that select requests. Those such as `header.NAME` have no end of names. */
export const journalQuery = openQuery(
  {
    ...fields,
    limit: pageFields.limit,
    before: optional(countParameter(), 'Only entries with a smaller id'),
  },
  Object.keys(typedPrefixes),
  'header.NAME, query.NAME, body.FIELD; * is any value, null none',
).check(
  z.refine(
    (given) => Object.keys(given).length <= maxFields,
    `A query can test at most ${maxFields} fields of requests.`,
  ),
)

/** @throws ControlError for an impossible field */
export function readRequestQuery(typed: TypedQuery): RequestQuery {
  const query = readTypedQuery(typed)
  check(requestQuery, query)
  return query
}
