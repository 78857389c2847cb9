import { defineAssumptions } from '../../../core/assumptions.ts'

/** What the reference leaves open about payments. */
export const paymentAssumptions = defineAssumptions({
  'payments.settle': { question: 'When a purchase of credits succeeds or fails: after 3 seconds, at once, or after an hour', values: ['3s', 'instant', '1h'], source: 'ours' },
  'payments.period': { question: 'How long a period of a subscription is: 30 days, or a calendar month', values: ['30d', 'month'], source: 'ours' },
})
