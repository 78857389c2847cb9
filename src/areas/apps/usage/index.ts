import { getAccountUsage } from './operations/get-account.ts'
import { getUsage } from './operations/get.ts'

/** What can be asked about usage. */
export const usageOperations = [getUsage, getAccountUsage]
