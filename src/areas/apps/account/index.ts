import { defineResource } from '../resource.ts'
import { ownAccountSchema } from './schemas.ts'
import { getAccount } from './operations/get.ts'

/** The account that a key belongs to. */
export const accountResource = defineResource({
  operations: [getAccount],
  schemas: { Account: ownAccountSchema },
})
