import { getAccount } from './operations/get.ts'

/** What can be done with the account. */
export const accountOperations = [getAccount]
