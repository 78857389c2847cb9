import type { AccountSummary, QuotaSummary } from './shapes.ts'

/** Returns the quotas of an account. With the assumption `rate-limit.scope` = `key`, each key has its own; otherwise the name is empty. */
export function quotasOf({ quota, keys }: AccountSummary): readonly { name: string; quota: QuotaSummary }[] {
  if (quota) return [{ name: '', quota }]
  return keys.flatMap((key) => (key.quota ? [{ name: key.name ?? key.id, quota: key.quota }] : []))
}
