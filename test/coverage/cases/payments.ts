import { waysOf } from '../refusals.ts'
import { but, created, sound, together, withBody, withQuery, type Cases } from '../ways.ts'

const badPurchases = [
  {},
  { amount: 0, payment_method: 'pm_ok' },
  { amount: 1.5, payment_method: 'pm_ok' },
  { amount: 100, payment_method: 'cash' },
  { amount: 100, payment_method: 'pm_declined' },
]

export const payments: Cases = {
  ...waysOf('plans.list', { 200: [sound('plans.list')] }),
  ...waysOf('plans.get', { 200: [sound('plans.get')] }),
  ...waysOf('subscription.get', { 200: [sound('subscription.get')] }),
  ...waysOf('subscription.update', {
    200: [sound('subscription.update')],
    400: [{}, { plan: 'gold' }, { plan: null }].map((body) => withBody('subscription.update', body)),
  }),
  ...waysOf('subscription.cancel', {
    200: [sound('subscription.cancel')],
    400: [but('subscription.cancel', 'the free plan', { key: 'key_free' })],
  }),
  ...waysOf('credits.get', { 200: [sound('credits.get')] }),
  ...waysOf('purchases.list', { 200: [sound('purchases.list')], 400: [withQuery('purchases.list', 'status=done')] }),
  ...waysOf(
    'purchases.create',
    together(created('purchases.create'), { 400: badPurchases.map((body) => withBody('purchases.create', body)) }),
  ),
  ...waysOf('purchases.get', { 200: [sound('purchases.get')] }),
}
