import * as z from 'zod/mini'
import { declareCollection, type CollectionDefinition } from '../../../core/store/collection.ts'
import { storedTime } from '../../../core/time/fixture-time.ts'
import type { User } from '../../generated/records.ts'

export type { User }

/** An end user of an app, as replies and events carry it. */
export const userSchema = z.object({
  /** `usr_` and 16 characters. */
  id: z.string(),
  email: z.string(),
  name: z.string(),
  signup_date: z.iso.datetime(),
})

/** The app that an event is about. */
export const aboutAppSchema = z.object({
  app_id: z.string(),
  app_name: z.string(),
})

/** A new user of an app: the data of `user.signed_up`. */
export const userSignedUpSchema = z.object({
  ...aboutAppSchema.shape,
  user: userSchema,
})

/** A stored end user of an app. */
const userRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  app: z.string(),
  email: z.string(),
  name: z.string(),
  /** When they signed up. */
  created_at: storedTime,
})

export const users: CollectionDefinition<User> = declareCollection({
  name: 'users',
  schema: userRecordSchema,
  fixture: {},
  key: (user) => user.id,
  owner: (user) => user.account,
  parent: (user) => user.app,
  refers: { app: 'apps' },
  writtenWith: ['apps'],
})
