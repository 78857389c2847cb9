import type { Outcome } from '../../../core/http/outcome.ts'
import { toJson } from '../../../core/http/json.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { conversations } from '../conversations/schemas/conversation.ts'
import { messages } from '../conversations/schemas/message.ts'
import { usageAssumptions } from './assumptions.ts'

const holders = new WeakMap<object, WeakMap<object, { readonly derived: Map<string, never> }>>()

/** Returns a reply from `count`, cached until conversations or messages change. @param asked everything else that `count` depends on. */
export function usageReply(exchange: Exchange, asked: readonly unknown[], count: () => unknown): Outcome {
  const messagesCounted = exchange.assume(usageAssumptions, 'usage.messages')
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
