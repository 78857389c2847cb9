import { missingAccount, missingKey, type CallerSource } from '../core/accounts/known-callers.ts'
import type { Conditions } from './condition.ts'
import type { Finding } from './finding.ts'

/** Finds accounts and keys in `where` that the world does not have: the effect would never act. */
export function checkCallers(kind: string, spec: unknown, callers: CallerSource): Finding[] {
  if (!Array.isArray(spec)) return []
  return spec.flatMap(({ where: { account = 'any', key = 'any' } = {} }: Conditions, index) => {
    const missing = {
      account: account === 'any' ? undefined : missingAccount(callers, account),
      key: key === 'any' ? undefined : missingKey(callers, key),
    }
    return Object.entries(missing).flatMap(([field, message]) =>
      message === undefined ? [] : [{ path: [kind, index, 'where', field], message }],
    )
  })
}
