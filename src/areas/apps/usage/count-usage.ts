import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { conversations, messages } from '../conversations/schemas.ts'
import { binarySearch } from '../../../core/text/values.ts'
import { appAssumptions } from '../assumptions.ts'
import type { Range } from './range.ts'

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
