import { defineResource } from '../declare.ts'
import { users, userSchema, userSignedUpSchema } from './schemas.ts'
import { getUser } from './operations/get.ts'
import { listUsers } from './operations/list.ts'

export const userResource = defineResource({
  operations: [listUsers, getUser],
  eventSchemas: { 'user.signed_up': userSignedUpSchema },
  collections: { users },
  schemas: { User: userSchema },
})
