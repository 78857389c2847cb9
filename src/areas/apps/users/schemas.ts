import * as z from 'zod/mini'
import { declareCollection, type CollectionDefinition } from '../../../core/store/collection.ts'
import { fixtureTime, storedTime, toFixtureTimestamp } from '../../../core/time/fixture-time.ts'

/** An end user of an app, as replies and events carry it. */
export const userSchema = z.object({
  /** `usr_` and 16 characters. */
  id: z.string(),
  email: z.string(),
  name: z.string(),
  signup_date: z.iso.datetime(),
})

/** The app that an event is about. */
export const aboutAppSchema = z.object({ app_id: z.string(), app_name: z.string() })

/** A new user of an app: the data of `user.signed_up`. */
export const userSignedUpSchema = z.object({ ...aboutAppSchema.shape, user: userSchema })

const userRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  app: z.string(),
  email: z.string(),
  name: z.string(),
  created_at: storedTime,
})

/** A stored end user of an app. */
export interface User {
  /** `usr_` and 16 characters. */
  id: string
  /** The account's id. */
  account: string
  /** The app's id. */
  app: string
  email: string
  name: string
  /** When they signed up, in milliseconds since 1970. */
  created_at: number
}

export const users: CollectionDefinition<User> = declareCollection({
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
  writtenWith: ['apps'],
})
