import * as z from 'zod/mini'
import { declareCollection, type CollectionDefinition } from '../../../../core/store/collection.ts'

const count = z.int().check(z.nonnegative())

/** A balance of credits, as replies carry it. */
export const creditsSchema = z.object({
  /** `purchased` minus `spent`. */
  balance: count,
  purchased: count,
  spent: count,
})

const creditsRecordSchema = z.strictObject({ account: z.string(), purchased: count, spent: count })

/** The credits of an account, which it spends on messages. */
export interface Credits {
  /** The account's id, also the key of this record. */
  account: string
  /** All credits that the account ever got. */
  purchased: number
  /** The credits that the account has spent. */
  spent: number
}

export const credits: CollectionDefinition<Credits> = declareCollection({
  name: 'credits',
  schema: creditsRecordSchema,
  key: (balance) => balance.account,
  owner: (balance) => balance.account,
  // Messages cost credits, purchases add them.
  writtenWith: ['messages', 'purchases'],
})
