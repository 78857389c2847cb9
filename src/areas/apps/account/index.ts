import { getAccount } from './get.ts'

/** What can be done with the account. */
export const accountOperations = [getAccount]
