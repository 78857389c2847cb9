import type { AssumptionId } from '../../greenhouse/types/names.ts'

/** Assumptions that no client can observe, and why. */
export const unobservable: Readonly<Partial<Record<AssumptionId, string>>> = {
  'rate-limit.rejected': 'a run stops at the first 429, and the headers of a spent window say 0 left either way',
  'webhooks.timestamp':
    'the three differ only where the clock of the server is not that of the machine, or a delivery is late',
  'payments.renewal-retries': 'it shows days after a renewal that was not paid',
  'payments.unpaid': 'it shows days after a renewal that was not paid',
}
