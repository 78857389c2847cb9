import { getAccountUsage } from './account.ts'
import { getUsage } from './get.ts'

/** What can be asked about usage. */
export const usageOperations = [getUsage, getAccountUsage]
