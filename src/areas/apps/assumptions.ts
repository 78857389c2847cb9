import { type Assume, defineAssumptions } from '../../core/contract/assumptions.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import { webhookAssumptions } from './webhooks/assumptions.ts'

export const appAssumptions = defineAssumptions({
  'apps.list.shape': {
    question: 'The shape of a list: an object with data, has_more and next_cursor, or the bare array',
    values: ['data', 'array'],
    source: 'convention',
  },
  'apps.create.status': { question: 'The status of a creation', values: ['201', '200'], source: 'convention' },
  'apps.delete.status': { question: 'The status of a deletion', values: ['204', '200'], source: 'convention' },
  'apps.unknown-fields': {
    question: 'Unknown fields of a body, also in nested objects',
    values: ['ignore', 'reject'],
    source: 'convention',
  },
  'apps.unknown-query': {
    question: 'Unknown query parameters',
    values: ['ignore', 'reject'],
    source: 'convention',
  },
  'apps.text-length': {
    question: 'The longest text that a field of a request may hold, in characters; a longer one is 400',
    values: ['16384', '1000'],
    source: 'ours',
  },
  'usage.messages': {
    question: 'Which messages usage counts: all, or only those of users',
    values: ['both', 'user'],
    source: 'ours',
  },
  'messages.stream.status': {
    question: 'The status of a message whose answer is streamed',
    values: ['200', '201'],
    source: 'convention',
  },
  'messages.no-credits': {
    question: 'The status of a message when the credits are spent',
    values: ['403', '400'],
    source: 'ours',
  },
  ...webhookAssumptions,
  // Greenhouse has no DNS and no certificate authority, so these decide.
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

type Assuming = Pick<Exchange, 'assume'>

export const createdStatus = (exchange: Assuming) => Number(exchange.assume(appAssumptions, 'apps.create.status'))

export const deletedStatus = (exchange: Assuming) => Number(exchange.assume(appAssumptions, 'apps.delete.status'))

export const created = (assume: Assume) => [createdStatus({ assume })]

export const accepted = () => [202]
