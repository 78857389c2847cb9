import { toIso, toIsoOrNull } from '../../../core/time/time-text.ts'
import { appKind } from '../apps/present.ts'
import type { Kind } from '../declare.ts'
import { dnsRecords, verificationPeriod } from './domain.ts'
import {
  type Deployment,
  deployments,
  deploymentSchema,
  type FailureCode,
  isAssignedDomain,
} from './schemas.ts'

const messages: Record<FailureCode, string> = {
  dns_timeout: 'The DNS records were not found within 72 hours. Set them and verify again.',
  dns_mismatch: 'The domain has other DNS records than these. Correct them and verify again.',
  certificate_failed:
    'The certificate authority refused to issue a certificate for the domain. Verify again to try once more.',
}

export function presentDeployment(deployment: Readonly<Deployment>) {
  const { branding, state, failure, live_at, domain } = deployment
  return {
    id: deployment.id,
    app_id: deployment.app,
    domain,
    custom_domain: !isAssignedDomain(domain),
    url: `https://${domain}`,
    state,
    failure:
      failure === undefined
        ? null
        : {
            code: failure,
            message: messages[failure],
          },
    dns_records: dnsRecords(deployment),
    verify_before: state === 'pending_dns' ? toIso(deployment.asked_at + verificationPeriod) : null,
    branding: {
      name: branding.name ?? null,
      logo_url: branding.logo_url ?? null,
      primary_color: branding.primary_color ?? null,
      hide_powered_by: branding.hide_powered_by ?? false,
    },
    live_at: toIsoOrNull(live_at),
    created_at: toIso(deployment.created_at),
    updated_at: toIso(deployment.updated_at),
  }
}

export const deploymentKind: Kind<Deployment> = {
  noun: 'deployment',
  collection: deployments,
  parent: appKind,
  schema: deploymentSchema,
  present: presentDeployment,
}
