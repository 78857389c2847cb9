import * as z from 'zod/mini'
import { integerFormats } from '../../core/contract/json-schema.ts'
import { declareCollection } from '../../core/store/collection.ts'
import type { Plant } from '../generated/records.ts'

export type { Plant }

const [least, greatest] = integerFormats.int64

/** A 64-bit integer: a number if that is exact, otherwise a bigint. */
export const int64 = z.pipe(
  z.union([z.number(), z.bigint()], 'expected an integer of 64 bits'),
  z.transform((value, context) => {
    const integer = toInt64(value)
    if (integer !== undefined) return integer
    context.issues.push({
      code: 'custom',
      input: value,
      message: 'expected an integer of 64 bits',
    })
    return z.NEVER
  }),
)

/**
 * Converts a value to an int64; `undefined` if it is not one, or is a number that may have been
 * rounded.
 */
export function toInt64(value: number | bigint): number | bigint | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value || 0
    return undefined
  }
  if (value < least || value > greatest) return undefined
  if (Number.isSafeInteger(Number(value))) return Number(value)
  return value
}

/** A plant, as replies carry it (stated). */
export const plantSchema = z.object({
  name: z.string(),
  tag: z.optional(z.string()),
})

/** The body of `POST /plants` (stated). */
export const newPlantSchema = z.object({
  name: z.string(),
  tag: z.optional(z.string()),
  /**
   * A 64-bit integer. `JSON.stringify` can't write a `bigint`: use a serializer that writes its
   * digits.
   */
  id: int64,
})

/** The body of an error of the plant store (stated). */
export const plantErrorSchema = z.object({
  error: z.int32(),
  message: z.string(),
})

/** A stored plant. */
const plantRecordSchema = z.strictObject({
  id: int64,
  name: z.string(),
  tag: z.optional(z.string()),
  account: z.string(),
  /** Unknown fields of the request, stored when `plants.create.unknown-fields` is `keep`. */
  extra: z.optional(z.record(z.string(), z.unknown())),
})

export const plants = declareCollection<Plant>({
  name: 'plants',
  schema: plantRecordSchema,
  key: (plant) => plant.id,
  owner: (plant) => plant.account,
  sample: (index, account) => ({
    id: 1_000_000_000 + index,
    name: `Plant ${index + 1}`,
    tag: 'sample',
    account,
  }),
})
