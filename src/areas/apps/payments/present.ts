import { toIso, toIsoOrNull } from '../../../core/time/time-text.ts'
import type { Plan } from '../../../core/accounts/accounts.ts'
import type { Kind } from '../declare.ts'
import { type Purchase, purchases, purchaseSchema } from './schemas.ts'

export function presentPlan({
  id,
  name,
  price,
  minute,
  day,
  apps,
  custom_domains,
  white_label,
}: Readonly<Plan>) {
  return {
    id,
    name,
    price: {
      amount: price,
      currency: 'USD',
    },
    limits: {
      requests_per_minute: minute,
      requests_per_day: day,
      apps,
    },
    features: {
      custom_domain: custom_domains,
      hide_powered_by: white_label,
    },
  }
}

export function presentCredits(
  { purchased, spent } = {
    purchased: 0,
    spent: 0,
  },
) {
  return {
    balance: purchased - spent,
    purchased,
    spent,
  }
}

export function presentPurchase({
  id,
  amount,
  payment_method,
  status,
  created_at,
  settled_at,
}: Readonly<Purchase>) {
  return {
    id,
    amount,
    payment_method,
    status,
    created_at: toIso(created_at),
    settled_at: toIsoOrNull(settled_at),
  }
}

export const purchaseKind: Kind<Purchase> = {
  noun: 'purchase',
  collection: purchases,
  path: '/credits/purchases',
  schema: purchaseSchema,
  present: presentPurchase,
}
