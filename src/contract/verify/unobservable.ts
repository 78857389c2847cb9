import type { AssumptionId } from '../../greenhouse/types/names.ts'

/** Assumptions that no client can observe, and why. */
export const unobservable: Readonly<Partial<Record<AssumptionId, string>>> = {
  'rate-limit.rejected': 'a run stops at the first 429, and the headers of a spent window say 0 left either way',
  'webhooks.timestamp':
    'the three differ only where the clock of the server is not that of the machine, or a delivery is late',
  'payments.renewal-retries': 'it shows only days after an unpaid renewal',
  'payments.unpaid': 'it shows only days after an unpaid renewal',
}
