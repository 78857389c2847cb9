import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { conversations, messages } from '../conversations/schemas.ts'
import { binarySearch } from '../../../core/text/values.ts'
import { appAssumptions } from '../assumptions.ts'
import type { Range } from './range.ts'
import { toJson } from '../../../core/http/json.ts'
import type { Outcome } from '../../../core/http/reply.ts'
import { toIso } from '../../../core/time/time-text.ts'

class Figures {
  messages = 0
  conversations = 0
  credits = 0
  readonly #users = new Set<string>()

  add(messages: number, credits: number, user: string | null): void {
    this.messages += messages
    this.credits += credits
    if (user !== null) this.#users.add(user)
  }

  show() {
    return {
      messages: this.messages,
      conversations: this.conversations,
      active_users: this.#users.size,
      credits: this.credits,
    }
  }
}

export function countUsage(exchange: Exchange, apps: readonly string[], { from, to, starts }: Range) {
  const usersAlone = exchange.assume(appAssumptions, 'usage.messages') === 'user'
  const held = exchange.collection(conversations)
  const stored = exchange.collection(messages)
  const totals = new Figures()
  const ofApps = apps.map(() => new Figures())
  const buckets = starts.map(() => new Figures())
  // Fast path: consecutive messages are mostly in the same bucket.
  let index = 0
  const bucketAt = (at: number) => {
    if (at < starts[index]! || at >= (starts[index + 1] ?? Infinity)) index = bucketOf(starts, at)
    return buckets[index]!
  }
  for (const [index, app] of apps.entries())
    for (const { id, user, created_at } of held.childrenOf(app).oldest(Infinity)) {
      if (created_at >= from && created_at < to)
        for (const figures of [totals, ofApps[index]!, bucketAt(created_at)]) figures.conversations++
      for (const { created_at: at, credits, role } of stored.childrenOf(id).oldest(Infinity)) {
        if (at < from || at >= to) continue
        const messages = !usersAlone || role === 'user' ? 1 : 0
        totals.add(messages, credits, user)
        ofApps[index]!.add(messages, credits, user)
        bucketAt(at).add(messages, credits, user)
      }
    }
  const show = (figures: Figures) => figures.show()
  return { totals: totals.show(), buckets: buckets.map(show), apps: ofApps.map(show) }
}

function bucketOf(starts: readonly number[], at: number): number {
  return Math.max(0, binarySearch(starts.length, (index) => starts[index]! <= at) - 1)
}

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
