import { defineAssumptions } from '../../../core/contract/assumptions.ts'

/** Open questions about deployments. Greenhouse has no DNS and no certificate authority, so these decide. */
export const deploymentAssumptions = defineAssumptions({
  'deployments.dns': {
    question:
      'When verification finds the DNS records of a custom domain: at once, never, or an hour after the deployment began to wait for them',
    values: ['verified', 'pending', 'after-1h'],
    source: 'ours',
  },
  'deployments.certificate': {
    question:
      'How a certificate is issued once the DNS records are found: after 30 seconds, at once, or refused after 30 seconds',
    values: ['30s', 'instant', 'fails'],
    source: 'ours',
  },
})
