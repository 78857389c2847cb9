import {
  type Assume,
  convention,
  type Assumptions,
  ours,
  type Assuming,
} from '../../core/contract/assumptions.ts'
import { webhookAssumptions } from './webhooks/assumptions.ts'

export const appAssumptions: Assumptions = {
  'apps.list.shape': convention(
    'The shape of a list: an object with data, has_more and next_cursor, or the bare array',
    ['data', 'array'],
  ),
  'apps.create.status': convention('The status of a creation', ['201', '200']),
  'apps.delete.status': convention('The status of a deletion', ['204', '200']),
  'apps.unknown-fields': convention('Unknown fields of a body, also in nested objects', [
    'ignore',
    'reject',
  ]),
  'apps.unknown-query': convention('Unknown query parameters', ['ignore', 'reject']),
  'apps.text-length': ours(
    'The longest text that a field of a request may hold, in characters; a longer one is 400',
    ['16384', '1000'],
  ),
  'usage.messages': ours('Which messages usage counts: all, or only those of users', [
    'both',
    'user',
  ]),
  'messages.stream.status': convention('The status of a message whose answer is streamed', [
    '200',
    '201',
  ]),
  'messages.no-credits': ours('The status of a message when the credits are spent', ['403', '400']),
  ...webhookAssumptions,
  // Greenhouse has no DNS and no certificate authority, so these decide.
  'deployments.dns': ours(
    'When verification finds the DNS records of a custom domain: at once, never, or an hour after the deployment began to wait for them',
    ['verified', 'pending', 'after-1h'],
  ),
  'deployments.certificate': ours(
    'How a certificate is issued once the DNS records are found: after 30 seconds, at once, or refused after 30 seconds',
    ['30s', 'instant', 'fails'],
  ),
  'payments.settle': ours(
    'When a purchase of credits succeeds or fails: after 3 seconds, at once, or after an hour',
    ['3s', 'instant', '1h'],
  ),
  'payments.renewal-retries': ours(
    'When a renewal whose payment failed is charged again: 3, 5 and 7 days after it, or never',
    ['standard', 'none'],
  ),
  'payments.unpaid': convention(
    'What happens to a subscription whose last charge failed: it is canceled, or stays past_due',
    ['cancel', 'past_due'],
  ),
  'payments.period': ours('How long a period of a subscription is: 30 days, or a calendar month', [
    '30d',
    'month',
  ]),
}

export const createdStatus = (exchange: Assuming) => Number(exchange.assume('apps.create.status'))

export const deletedStatus = (exchange: Assuming) => Number(exchange.assume('apps.delete.status'))

export const created = (assume: Assume) => [createdStatus({ assume })]

export const accepted = () => [202]
