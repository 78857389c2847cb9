import { getUser } from './get.ts'
import { listUsers } from './list.ts'

/** What can be done with the end users of an app. */
export const userOperations = [listUsers, getUser]
