import { type AuthenticatedExchange, declareOperation } from '../../../core/pipeline/operation.ts'
import { appKind } from '../apps/present.ts'
import { apps } from '../apps/schemas.ts'
import { defineResource, recordOfPath } from '../declare.ts'
import { rangeQuery, readRange, type Range } from './range.ts'
import { accountUsageSchema, usageSchema } from './schemas.ts'
import { choiceOf } from '../../../core/pipeline/list-query.ts'
import { conversations, messages } from '../conversations/schemas.ts'
import { binarySearch } from '../../../core/text/values.ts'
import { toJson } from '../../../core/http/json.ts'
import type { Outcome } from '../../../core/http/reply.ts'
import { toIso } from '../../../core/time/time-text.ts'
import { cached } from '../../../core/contract/cache.ts'

export const usageResource = defineResource({
  operations: [
    declareOperation({
      id: 'usage.get',
      method: 'GET',
      path: '/apps/{app_id}/usage',
      title: "Get an app's usage statistics",
      scope: 'analytics:read',
      query: rangeQuery,
      result: usageSchema,
      handle(exchange, { params, query }) {
        const { id } = recordOfPath(exchange, appKind, params)
        const range = readRange(query, exchange.now)
        return usageReply(exchange, [range.interval, range.from, range.to, id], () => ({
          app_id: id,
          ...presentUsage(range, countUsage(exchange, [id], range)),
        }))
      },
    }),
    declareOperation({
      id: 'usage.account',
      method: 'GET',
      path: '/usage',
      title: "Get the account's usage statistics",
      scope: 'analytics:read',
      query: {
        ...rangeQuery,
        group_by: {
          description: 'app adds the totals of each app, the newest first.',
          schema: choiceOf(['app']),
        },
      },
      result: accountUsageSchema,
      handle(exchange, { query }) {
        const range = readRange(query, exchange.now)
        const ids = exchange
          .collection(apps)
          .ownedBy(exchange.caller.account.id)
          .newest()
          .map(({ id }) => id)
        const isGrouped = query.get('group_by') !== null
        return usageReply(exchange, [range.interval, range.from, range.to, isGrouped, ids], () => {
          const usage = countUsage(exchange, ids, range)
          const body = presentUsage(range, usage)
          if (isGrouped)
            return {
              ...body,
              apps: usage.apps,
            }
          return body
        })
      },
    }),
  ],
  schemas: {
    Usage: usageSchema,
    AccountUsage: accountUsageSchema,
  },
})

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

function countUsage(
  exchange: AuthenticatedExchange,
  apps: readonly string[],
  { from, to, starts }: Range,
) {
  const usersAlone = exchange.assume('usage.messages') === 'user'
  const held = exchange.collection(conversations)
  const stored = exchange.collection(messages)
  const totals = new Figures()
  const byApp = apps.map((app_id) => ({
    app_id,
    figures: new Figures(),
  }))
  const buckets = starts.map((start): Bucket => ({
    start,
    figures: new Figures(),
  }))
  for (const { app_id, figures: ofApp } of byApp)
    for (const { id, user, created_at } of held.childrenOf(app_id).oldest()) {
      if (created_at >= from && created_at < to)
        for (const figures of [totals, ofApp, figuresAt(buckets, created_at)])
          figures.conversations++
      for (const { created_at: at, credits, role } of stored.childrenOf(id).oldest()) {
        if (at < from || at >= to) continue
        const messages = Number(!usersAlone || role === 'user')
        for (const figures of [totals, ofApp, figuresAt(buckets, at)])
          figures.add(messages, credits, user)
      }
    }
  return {
    totals: totals.show(),
    buckets: buckets.map(({ start, figures }) => ({
      start: toIso(start),
      ...figures.show(),
    })),
    apps: byApp.map(({ app_id, figures }) => ({ app_id, ...figures.show() })),
  }
}

interface Bucket {
  readonly start: number
  readonly figures: Figures
}

/** Returns the figures of the bucket that has a time, which is not before the first one. */
function figuresAt(buckets: readonly Bucket[], time: number): Figures {
  return buckets[binarySearch(buckets, ({ start }) => start <= time) - 1]!.figures
}

function presentUsage(
  { from, to, interval }: Range,
  { totals, buckets }: ReturnType<typeof countUsage>,
) {
  return {
    from: toIso(from),
    to: toIso(to),
    interval,
    totals,
    buckets,
  }
}

const versions = new WeakMap<object, WeakMap<object, object>>()

/**
 * Returns a reply from `count`, cached until conversations or messages change. @param asked
 * everything else that `count` depends on.
 */
function usageReply(
  exchange: AuthenticatedExchange,
  asked: readonly unknown[],
  count: () => unknown,
): Outcome {
  const messagesCounted = exchange.assume('usage.messages')
  return exchange.world.template.replies.get(
    versionOf(exchange),
    JSON.stringify([messagesCounted, ...asked]),
    () => {
      const body = count()
      return {
        status: 200,
        body,
        text: toJson(body),
      }
    },
  )
}

/** Identifies the messages and conversations together. */
function versionOf(exchange: AuthenticatedExchange): object {
  const stored = exchange.collection(messages).version
  const held = exchange.collection(conversations).version
  const known = cached(versions, stored, () => new WeakMap<object, object>())
  return cached(known, held, () => ({}))
}
