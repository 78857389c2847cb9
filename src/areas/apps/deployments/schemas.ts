import * as z from 'zod/mini'
import { defineCollection } from '../../../core/collection.ts'
import { fixtureTime, toFixtureTimestamp } from '../../../core/fixture-time.ts'

/** How a deployment looks. */
export const brandingSchema = z.object({
  name: z.optional(z.nullable(z.string())),
  logo_url: z.optional(z.nullable(z.string())),
  primary_color: z.optional(z.nullable(z.string())),
  hide_powered_by: z.optional(z.boolean()),
})

/** A deployment as the store keeps it: times are in milliseconds since 1970. */
export const deploymentRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  app: z.string(),
  domain: z.string(),
  branding: brandingSchema,
  state: z.enum(['pending_dns', 'issuing_certificate', 'live', 'failed']),
  /** What a domain's owner proves with. */
  token: z.string(),
  failure: z.optional(z.string()),
  live_at: z.optional(z.number()),
  created_at: z.number(),
  updated_at: z.number(),
})

export type Deployment = z.infer<typeof deploymentRecordSchema>

export const deployments = defineCollection({
  name: 'deployments',
  schema: deploymentRecordSchema,
  fixture: {
    schema: z.strictObject({
      id: z.string(),
      account: z.string(),
      app: z.string(),
      domain: z.string(),
      branding: brandingSchema,
      state: z.enum(['pending_dns', 'live', 'failed']),
      token: z.string(),
      failure: z.optional(z.string()),
      created_at: fixtureTime,
    }),
    toRecord({ created_at, ...deployment }, now) {
      const at = toFixtureTimestamp(created_at, now)
      return { ...deployment, ...(deployment.state === 'live' && { live_at: at }), created_at: at, updated_at: at }
    },
  },
  key: (deployment) => deployment.id,
  owner: (deployment) => deployment.account,
  parent: (deployment) => deployment.app,
})
