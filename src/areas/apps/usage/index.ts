import { defineResource } from '../declare.ts'
import { accountUsageSchema, usageSchema } from './schemas.ts'
import { getUsage } from './operations/get.ts'
import { getAccountUsage } from './operations/get-account.ts'

export const usageResource = defineResource({
  operations: [getUsage, getAccountUsage],
  schemas: { Usage: usageSchema, AccountUsage: accountUsageSchema },
})
