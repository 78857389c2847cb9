import * as z from 'zod/mini'
import { type CollectionDefinition, declareCollection } from '../../../core/store/collection.ts'
import { storedTime } from '../../../core/time/fixture-time.ts'
import type { Deployment } from '../../generated/records.ts'

export type { Deployment }

export const assignedDomainRoot = 'greenhouse-apps.example'

const labels = /^([A-Za-z0-9-]+\.)+[A-Za-z0-9-]+$/
const label = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

const wrong =
  'Invalid domain: expected a hostname such as "chat.example.com"; write letters other than a-z in Punycode (xn--…)'

/**
 * A hostname of at least two ASCII labels, converted to lower case. Exactly one label may precede
 * `assignedDomainRoot`.
 */
export const domainSchema = z.string().check(
  z.maxLength(253, {
    error: wrong,
    abort: true,
  }),
  z.regex(labels, {
    error: wrong,
    abort: true,
  }),
  z.refine(isHostname, {
    error: wrong,
    abort: true,
  }),
  z.toLowerCase(),
  z.refine(
    (domain) =>
      !isAssignedDomain(domain) ||
      domain.split('.').length === assignedDomainRoot.split('.').length + 1,
    `Invalid domain: expected a single name before ".${assignedDomainRoot}"`,
  ),
)

/**
 * Returns whether labels form a hostname: none is too long, or begins or ends with a dash; the last
 * is not a number, as in an IP address.
 */
function isHostname(domain: string): boolean {
  return domain.split('.').every((part) => label.test(part)) && !/\.\d+$/.test(domain)
}

export function isAssignedDomain(domain: string): boolean {
  return isAtOrBelow(domain, assignedDomainRoot)
}

export function isAtOrBelow(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith('.' + parent)
}

const webAddress = z.url({
  protocol: /^https?$/,
  error: 'Invalid URL: expected a URL that begins with http:// or https://',
})
const color = z
  .string()
  .check(
    z.regex(
      /^#[0-9A-Fa-f]{6}$/,
      'Invalid color: expected "#" and six hexadecimal digits, such as "#2e7d32"',
    ),
  )

/** How a deployment looks. */
export const brandingSchema = z.object({
  name: z.optional(z.nullable(z.string())),
  logo_url: z.optional(z.nullable(webAddress)),
  /** `#` and six hexadecimal digits: `#2e7d32`. */
  primary_color: z.optional(z.nullable(color)),
  /** True if the page hides the "powered by" line. */
  hide_powered_by: z.optional(z.boolean()),
})

/** The body that creates a deployment or changes one. */
export const newDeploymentSchema = z.object({
  domain: z.optional(domainSchema),
  branding: z.optional(brandingSchema),
})

export type DeploymentBody = z.infer<typeof newDeploymentSchema>

/** Why a deployment failed. */
const failureCodes = ['dns_timeout', 'dns_mismatch', 'certificate_failed'] as const

export type FailureCode = (typeof failureCodes)[number]

export const deploymentStates = ['pending_dns', 'issuing_certificate', 'live', 'failed'] as const

/** Fields that stored deployments and replies share. */
const fields = {
  /** `dep_` and 16 characters. */
  id: z.string(),
  /** In lower case. */
  domain: domainSchema,
  state: z.enum(deploymentStates),
}

const time = z.nullable(z.iso.datetime())

/** A DNS record that the owner of a custom domain sets. */
export const dnsRecordSchema = z.object({
  type: z.enum(['CNAME', 'TXT']),
  name: z.string(),
  value: z.string(),
  status: z.enum(['pending', 'verified', 'mismatch']),
})

/** A deployment of an app, as replies and events carry it. */
export const deploymentSchema = z.object({
  ...fields,
  domain: z.string(),
  app_id: z.string(),
  custom_domain: z.boolean(),
  /** `https://` and the domain. */
  url: z.string(),
  /** Why the deployment failed; `null` in every other state. */
  failure: z.nullable(
    z.object({
      code: z.enum(failureCodes),
      message: z.string(),
    }),
  ),
  /** The records to set for a custom domain; empty for a domain of the service. */
  dns_records: z.array(dnsRecordSchema),
  /** The deadline for the DNS records; `null` unless the state is `pending_dns`. */
  verify_before: time,
  branding: z.object({
    name: z.nullable(z.string()),
    logo_url: z.nullable(z.string()),
    primary_color: z.nullable(z.string()),
    hide_powered_by: z.boolean(),
  }),
  /** `null` until the deployment is live. */
  live_at: time,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

/** A new deployment in replies: it cannot have failed. */
export const createdDeploymentSchema = z.extend(deploymentSchema, { failure: z.null() })

/** A stored deployment of an app on a domain. */
const deploymentRecordSchema = z.strictObject({
  ...fields,
  account: z.string(),
  app: z.string(),
  branding: brandingSchema,
  /** The text in the DNS records that proves who owns the domain. */
  token: z.string(),
  /** Why it failed; only in the state `failed`. */
  failure: z.optional(z.enum(failureCodes)),
  /** When the wait for the DNS records began. */
  asked_at: storedTime,
  /** When the certificate will be issued or refused; only in the state `issuing_certificate`. */
  certificate_at: z.optional(storedTime),
  /** When it went live. */
  live_at: z.optional(storedTime),
  created_at: storedTime,
  updated_at: storedTime,
})

export const deployments: CollectionDefinition<Deployment> = declareCollection({
  name: 'deployments',
  schema: deploymentRecordSchema,
  fixture: {
    fields: {
      asked_at: z.optional(storedTime),
      updated_at: z.optional(storedTime),
    },
    /** A deployment in the state `pending_dns` has waited since its creation. */
    derive: ({ state, created_at }) => ({
      live_at: state === 'live' ? created_at : undefined,
      asked_at: created_at,
      updated_at: created_at,
    }),
    findMistake({ state, failure, certificate_at, updated_at }) {
      // With all fields, a record was edited to anything.
      if (updated_at !== undefined) return undefined
      if ((state === 'failed') !== (failure !== undefined))
        return [
          'failure',
          `Invalid failure: expected one of ${failureCodes.join(', ')} with the state "failed", and none with other states`,
        ]
      if ((state === 'issuing_certificate') !== (certificate_at !== undefined))
        return [
          'certificate_at',
          'Invalid time: expected a time such as "in 30s" with the state "issuing_certificate", and none with other states',
        ]
      return undefined
    },
  },
  key: (deployment) => deployment.id,
  owner: (deployment) => deployment.account,
  parent: (deployment) => deployment.app,
  refers: { app: 'apps' },
  writtenWith: ['apps'],
})
