import { toSecret } from '../../core/accounts/bearer.ts'
import { toShownOutline, toShownVerdicts } from '../../core/journal/journal-entry.ts'
import { toDurations, toFired, type JournalRecord } from '../../core/journal/journal-record.ts'
import { withoutWorld } from '../../core/journal/secret-places.ts'
import { toFingerprint } from '../../core/store/fingerprint.ts'
import { monotonicNow } from '../../core/time/clock.ts'
import { toIso } from '../../core/time/time-text.ts'
import type { World } from '../../greenhouse/world.ts'
import type { RequestEvent } from './types.ts'

export function toRequestEvent(record: JournalRecord, world: World | undefined): RequestEvent {
  const { id, at, operation, account, reply, assumed, nearMisses, sent, aborted, leftAt } = record
  const { method, url, world: name, reason, violations } = toShownOutline(record)
  const verdicts = toShownVerdicts(record)
  const key = keyOf(record, world)
  return {
    id,
    at: toIso(at),
    operation,
    world: name,
    ...(account !== undefined && { account }),
    request: { method, url },
    response: { status: reply.status },
    ...(key !== undefined && { key }),
    ...(leftAt > 0 ? { bytes: sent } : { pending: true as const }),
    ...(aborted && { aborted }),
    ...(reason !== undefined && { reason }),
    scenarios: toFired(record),
    ...(verdicts && { verdicts }),
    assumptions: [...new Set(assumed)],
    ...(violations.length > 0 && { violations: [...violations] }),
    ...(nearMisses && { near_misses: nearMisses() }),
    ms: toDurations(record, monotonicNow()).ms,
  }
}

function keyOf({ headers: { authorization } }: JournalRecord, world: World | undefined): string | undefined {
  const sent = toSecret(typeof authorization === 'string' ? authorization : authorization?.[0])
  if (sent === undefined) return undefined
  const secret = withoutWorld(sent)
  return world ? world.nameKey(secret) : toFingerprint(secret)
}
