import * as z from 'zod/mini'
import { defineCollection } from '../../../core/store/collection.ts'
import { fixtureTime, storedTime, toFixtureTimestamp } from '../../../core/time/fixture-time.ts'

/** An end user of an app, as replies show it. */
export const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  signup_date: z.iso.datetime(),
})

/** An end user as the store keeps it: times are in milliseconds since 1970. */
export const userRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  app: z.string(),
  email: z.string(),
  name: z.string(),
  created_at: storedTime,
})

export type User = z.infer<typeof userRecordSchema>

export const users = defineCollection({
  name: 'users',
  schema: userRecordSchema,
  fixture: {
    schema: z.strictObject({ ...userRecordSchema.shape, created_at: fixtureTime }),
    toRecord: ({ created_at, ...user }, now) => ({ ...user, created_at: toFixtureTimestamp(created_at, now) }),
  },
  key: (user) => user.id,
  owner: (user) => user.account,
  parent: (user) => user.app,
  refers: { app: 'apps' },
  goesWith: ['apps'],
})
