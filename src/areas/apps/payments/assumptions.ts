import { defineAssumptions } from '../../../core/contract/assumptions.ts'

export const paymentAssumptions = defineAssumptions({
  'payments.settle': {
    question: 'When a purchase of credits succeeds or fails: after 3 seconds, at once, or after an hour',
    values: ['3s', 'instant', '1h'],
    source: 'ours',
  },
  'payments.renewal-retries': {
    question: 'When a renewal whose payment failed is charged again: 3, 5 and 7 days after it, or never',
    values: ['standard', 'none'],
    source: 'ours',
  },
  'payments.unpaid': {
    question: 'What happens to a subscription whose last charge failed: it is canceled, or stays past_due',
    values: ['cancel', 'past_due'],
    source: 'convention',
  },
  'payments.period': {
    question: 'How long a period of a subscription is: 30 days, or a calendar month',
    values: ['30d', 'month'],
    source: 'ours',
  },
})
