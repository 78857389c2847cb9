import { getUser } from './operations/get.ts'
import { listUsers } from './operations/list.ts'

/** What can be done with the end users of an app. */
export const userOperations = [listUsers, getUser]
