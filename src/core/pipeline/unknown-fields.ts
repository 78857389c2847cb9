import type * as z from 'zod/mini'
import { quote } from '../definitions/quote.ts'
import type { Problems } from './refusal.ts'
import { toPart, toPlace, toShape } from './schema-shape.ts'
import { suggest } from '../definitions/suggest.ts'

/** Notes the fields of a body that its schema does not have, those of objects within it too. */
export function checkFieldNames(
  sent: unknown,
  schema: z.core.$ZodType,
  refusal: Problems,
  path: readonly PropertyKey[] = [],
): void {
  if (typeof sent !== 'object' || sent === null) return
  const isList = Array.isArray(sent)
  const shape = toShape(schema)
  for (const [name, value] of Object.entries(sent)) {
    const part = toPart(schema, name)
    const place = [...path, isList ? Number(name) : name]
    if (part) checkFieldNames(value, part, refusal, place)
    else if (shape && !isList)
      refusal.add(
        () =>
          `${quote(toPlace(place))} is not a field of this request.${suggest(
            toPlace(place),
            Object.keys(shape).map((known) => toPlace([...path, known])),
          )}`,
      )
  }
}
