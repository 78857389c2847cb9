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

const holders = new WeakMap<object, WeakMap<object, { readonly derived: Map<string, never> }>>()

/** Returns a reply from `count`, cached until conversations or messages change. @param asked everything else that `count` depends on. */
export function usageReply(exchange: Exchange, asked: readonly unknown[], count: () => unknown): Outcome {
  const messagesCounted = exchange.assume(appAssumptions, 'usage.messages')
  return exchange.world.replies.get(holderOf(exchange), JSON.stringify([messagesCounted, ...asked]), () => {
    const body = count()
    return { status: 200, body, text: toJson(body) }
  })
}

function holderOf(exchange: Exchange) {
  const stored = exchange.collection(messages).version
  const held = exchange.collection(conversations).version
  const known = holders.get(stored) ?? new WeakMap<object, { readonly derived: Map<string, never> }>()
  const holder = known.get(held) ?? { derived: new Map<string, never>() }
  holders.set(stored, known.set(held, holder))
  return holder
}
