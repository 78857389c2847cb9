import { defineResource } from '../declare.ts'
import { ownAccountSchema } from './schemas.ts'
import { getAccount } from './operations/get.ts'

export const accountResource = defineResource({
  operations: [getAccount],
  schemas: { Account: ownAccountSchema },
})
