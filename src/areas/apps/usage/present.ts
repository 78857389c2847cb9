import { toJson } from '../../../core/http/json.ts'
import type { Outcome } from '../../../core/http/reply.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { toIso } from '../../../core/time/time-text.ts'
import { conversations, messages } from '../conversations/schemas.ts'
import { appAssumptions } from '../assumptions.ts'
import type { countUsage } from './count-usage.ts'
import type { Range } from './range.ts'

export function presentUsage(
  { from, to, interval, starts }: Range,
  { totals, buckets }: ReturnType<typeof countUsage>,
) {
  return {
    from: toIso(from),
    to: toIso(to),
    interval,
    totals,
    buckets: buckets.map((figures, index) => ({ start: toIso(starts[index]!), ...figures })),
  }
}

const versions = new WeakMap<object, WeakMap<object, object>>()

/** Returns a reply from `count`, cached until conversations or messages change. @param asked everything else that `count` depends on. */
export function usageReply(exchange: Exchange, asked: readonly unknown[], count: () => unknown): Outcome {
  const messagesCounted = exchange.assume(appAssumptions, 'usage.messages')
  return exchange.world.replies.get(versionOf(exchange), JSON.stringify([messagesCounted, ...asked]), () => {
    const body = count()
    return { status: 200, body, text: toJson(body) }
  })
}

/** Identifies the messages and conversations together. */
function versionOf(exchange: Exchange): object {
  const stored = exchange.collection(messages).version
  const held = exchange.collection(conversations).version
  const known = versions.get(stored) ?? new WeakMap<object, object>()
  const version = known.get(held) ?? {}
  versions.set(stored, known.set(held, version))
  return version
}
