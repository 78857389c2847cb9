import * as z from 'zod/mini'
import { accounts, keySchema } from '../../core/accounts/accounts.ts'
import { quotaHoldersOf, quotaOf, refillQuota } from '../../catalogue/inspect/accounts.ts'
import { anyInteger, anyText, described } from '../../core/contract/zod.ts'
import { defineAction, findRecord } from '../call.ts'
import { fingerprintOf } from '../records.ts'
import { listOf, named, pageOf, pageQuery, toListPage, worldTime } from '../shapes.ts'

const quotaWindow = z.object({
  limit: anyInteger,
  used: anyInteger,
  remaining: anyInteger,
  resets_at: worldTime,
})
export type QuotaWindow = z.infer<typeof quotaWindow>

const quota = named('Quota', {
  account: anyText,
  key: described(
    z.nullable(anyText),
    "The key that has it for itself; null if it is the account's (rate-limit.scope)",
  ),
  plan: anyText,
  minute: quotaWindow,
  day: quotaWindow,
  scenario: described(
    z.nullable(anyText),
    'The scenario that counts the requests, or else the one that sets the plan',
  ),
})

export type QuotaSummary = z.infer<typeof quota>

const { secret, ...newKey } = keySchema.shape

/** The actions of accounts and keys beyond those of records. */
export const accountActions = [
  defineAction('keys.create', 'POST /worlds/{world}/keys', {
    title: 'Create an API key',
    description:
      'The reply is the only one that shows the key, in the field `secret`. The id is that of its record.',
    input: z.strictObject(newKey),
    output: named('NewKey', {
      id: anyText,
      secret,
      ...newKey,
    }),
    status: 201,
    async run(call, given) {
      const key = await call.world.createKey(given)
      return {
        id: fingerprintOf(key),
        ...key,
      }
    },
  }),
  defineAction('quotas.list', 'GET /worlds/{world}/quotas', {
    title: 'List the quotas',
    description:
      'What the next request of each account meets, or that of each key, active scenarios included.',
    input: pageQuery,
    output: pageOf(quota),
    commands: 'status',
    run({ world: { core: live } }, page) {
      const holders = live
        .collection(accounts)
        .all()
        .flatMap((account) => quotaHoldersOf(live, account))
      return toListPage(holders, page, (holder) => quotaOf(live, holder))
    },
  }),
  defineAction('accounts.refill', 'POST /worlds/{world}/accounts/{id}/refill', {
    title: 'Refill a quota',
    description: 'Makes the quota of the minute or of the day full again; both without `window`.',
    input: z.strictObject({ window: z.optional(z.enum(['minute', 'day'])) }),
    output: listOf(quota),
    run(call, { window }) {
      const live = call.world.core
      const account = findRecord('account', call.param('id'), live.collection(accounts), live)
      refillQuota(live, account, window)
      return { data: quotaHoldersOf(live, account).map((holder) => quotaOf(live, holder)) }
    },
  }),
] as const
