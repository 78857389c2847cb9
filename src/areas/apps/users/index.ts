import { declareGetRecord, declareListRecords, defineResource } from '../declare.ts'
import { userKind } from './present.ts'
import { users, userSchema, userSignedUpSchema } from './schemas.ts'

export const userResource = defineResource({
  operations: [
    declareListRecords(userKind, {
      id: 'users.list',
      title: "List an app's end users",
      scope: 'analytics:read',
    }),
    declareGetRecord(userKind, {
      id: 'users.get',
      title: 'Get an end user',
      scope: 'analytics:read',
    }),
  ],
  eventSchemas: { 'user.signed_up': userSignedUpSchema },
  collections: { users },
  schemas: { User: userSchema },
})
