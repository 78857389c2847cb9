import * as z from 'zod/mini'
import { storedTime } from '../../../core/time/fixture-time.ts'
import { declareCollection, type CollectionDefinition } from '../../../core/store/collection.ts'
import type { App } from '../../generated/records.ts'

export type { App }

const text = z.optional(z.nullable(z.string()))

const fields = {
  display_name: text,
  description: text,
  model: text,
  system_prompt: text,
  welcome_message: text,
  /** True if its users must log in. */
  login_required: z.optional(z.boolean()),
}

/** The optional fields of an app. */
export const appFieldsSchema = z.object(fields)

const name = z.string().check(z.minLength(1))

/** The body of `POST /v1/apps`. */
export const newAppSchema = z.object({ name, ...fields })

/** The body of `PATCH /v1/apps/{app_id}`. Absent fields stay as they are. */
export const appChangesSchema = z.object({
  name: z.optional(name),
  ...fields,
})

/** An app, as replies of `/v1/apps` and events carry it. A field that was never set is `null`. */
export const appSchema = z.object({
  /** `app_` and 16 characters. */
  id: z.string(),
  name,
  display_name: z.nullable(z.string()),
  description: z.nullable(z.string()),
  model: z.nullable(z.string()),
  system_prompt: z.nullable(z.string()),
  welcome_message: z.nullable(z.string()),
  /** True if its users must log in. */
  login_required: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

/** A stored AI app. */
const appRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  name,
  ...fields,
  created_at: storedTime,
  updated_at: storedTime,
})

export const apps: CollectionDefinition<App> = declareCollection({
  name: 'apps',
  schema: appRecordSchema,
  fixture: {
    fields: {
      created_at: z.optional(storedTime),
      updated_at: z.optional(storedTime),
    },
    derive: ({ created_at }, now) => ({
      created_at: now,
      updated_at: created_at ?? now,
    }),
  },
  key: (app) => app.id,
  owner: (app) => app.account,
  sample: (index, account, now) => ({
    id: `app_sample${toLetterDigits(index)}`,
    account,
    name: `app-${index + 1}`,
    created_at: now,
    updated_at: now,
  }),
})

/** Formats a number as ten letters, so that an id with it looks like any other. */
function toLetterDigits(index: number): string {
  return String(index)
    .padStart(10, '0')
    .replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))
}
