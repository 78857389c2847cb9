import { accounts, type Account } from '../core/accounts/accounts.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { keysOf, paymentsOf, setPlan, quotaOfAccount, refillQuota } from '../greenhouse/inspect/accounts.ts'
import { liveOf } from '../greenhouse/assembly/live.ts'
import type { World } from '../greenhouse/world.ts'
import type { PartsAnswer } from './answer.ts'
import type { AccountSummary, List } from './answers.ts'
import { check } from './body.ts'
import type { Call } from './call.ts'
import { findRecord } from './find-record.ts'
import { showKey } from './keys.ts'
import { toListParts } from './list-parts.ts'
import { accountChangesSchema, refillSchema } from './schemas.ts'

const maxKeys = 100

/** The extra work of showing an account, as if it were this many bytes of text: its keys need fingerprints. */
const work = 2_000

export function listAccounts({ world }: Call): PartsAnswer<List<AccountSummary>> {
  const live = liveOf(world)
  return { parts: toListParts(live.collection(accounts).all(), (account) => showAccount(live, account), '', work) }
}

export function readAccount(world: World, id: string): AccountSummary {
  const live = liveOf(world)
  return showAccount(live, findAccount(live, id))
}

export function changeAccount(world: World, call: Call): AccountSummary {
  const { greenhouse, body } = call
  const id = call.param('id')
  const { plan } = check(greenhouse.catalogue.contract.open(accountChangesSchema), body)
  const live = liveOf(world)
  findAccount(live, id)
  live.catchUp()
  if (plan !== undefined) setPlan(live, id, plan)
  live.catchUp()
  return readAccount(world, id)
}

export function refillAccount(world: World, id: string, body: unknown): AccountSummary {
  const { window } = check(refillSchema, body)
  const live = liveOf(world)
  refillQuota(live, findAccount(live, id), window)
  return readAccount(world, id)
}

function findAccount(live: LiveWorld, id: string): Readonly<Account> {
  return findRecord('account', id, live.collection(accounts), live)
}

function showAccount(live: LiveWorld, account: Readonly<Account>): AccountSummary {
  const { id, name, email, plan } = account
  const keys = keysOf(live, id)
  return {
    id,
    name,
    email,
    plan,
    scopes: live.scopes,
    keys: keys.slice(0, maxKeys).map((key) => showKey(live, key)),
    key_count: keys.length,
    quota: quotaOfAccount(live, account),
    ...paymentsOf(live, account),
  }
}
