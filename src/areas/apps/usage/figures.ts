import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { createTurns } from '../../../core/time/turns.ts'
import { conversationAssumptions } from '../conversations/assumptions.ts'
import { conversations, messages } from '../conversations/schemas.ts'
import type { Range } from './range.ts'

/** What was used in a length of time, as it is counted. */
class Figures {
  messages = 0
  conversations = 0
  credits = 0
  readonly #users = new Set<string>()

  seen(user: string | null): void {
    if (user !== null) this.#users.add(user)
  }

  show() {
    return { messages: this.messages, conversations: this.conversations, active_users: this.#users.size, credits: this.credits }
  }
}

/** Counts the usage of apps from their stored conversations and messages: of all together, bucket by bucket, and of each. */
export async function countUsage(exchange: Exchange, apps: readonly string[], { from, to, starts }: Range) {
  const totals = new Figures()
  const ofApps = apps.map(() => new Figures())
  const buckets = starts.map(() => new Figures())
  const turn = createTurns()
  const isIn = (at: number) => at >= from && at < to
  const said = exchange.collection(messages)
  const usersAlone = exchange.assume(conversationAssumptions, 'usage.messages') === 'user'
  for (const [place, app] of apps.entries())
    for (const { id, user, created_at } of exchange.collection(conversations).partsOf(app).oldest(Infinity)) {
      const at = (time: number) => [totals, ofApps[place]!, buckets[bucketOf(starts, time)]!]
      const wait = turn()
      if (wait) await wait
      if (isIn(created_at)) for (const figures of at(created_at)) figures.conversations++
      for (const message of said.partsOf(id).oldest(Infinity)) {
        const wait = turn()
        if (wait) await wait
        if (!isIn(message.created_at)) continue
        for (const figures of at(message.created_at)) {
          if (!usersAlone || message.role === 'user') figures.messages++
          figures.credits += message.credits
          figures.seen(user)
        }
      }
    }
  const show = (figures: Figures) => figures.show()
  return { totals: totals.show(), buckets: buckets.map(show), apps: ofApps.map(show) }
}

/** The last bucket that starts no later than `at`, found by halving. */
function bucketOf(starts: readonly number[], at: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (starts[middle]! <= at) low = middle
    else high = middle - 1
  }
  return low
}
