import { defineAssumptions } from '../../../core/definitions/assumptions.ts'

/** What the reference leaves open about deployments; there is neither DNS nor a certificate authority here, so these decide. */
export const deploymentAssumptions = defineAssumptions({
  'deployments.dns': {
    question:
      "When verification finds a custom domain's DNS records: at once, never, or from an hour after they were asked for",
    values: ['verified', 'pending', 'after-1h'],
    source: 'ours',
  },
  'deployments.certificate': {
    question:
      'How a certificate is issued once the DNS records are found: after 30 seconds, at once, or not, which shows after 30 seconds',
    values: ['30s', 'instant', 'fails'],
    source: 'ours',
  },
})
