import { malformKinds } from '../../scenarios/language/malformation.ts'
import type { SeenRequest, ShownRequest } from '../seen-request.ts'
import {
  backsOff,
  givesUp,
  isAfter,
  keepsContract,
  keyNeverInUrl,
  NewestMap,
  noStampede,
  type Past,
  releasesStreams,
  type Rule,
  type RuleReport,
  toPast,
  toWait,
  unsafeRetryHasKey,
  waitedSince,
  type Watch,
} from './rules.ts'

/** The kind of a reply with an unknown field, which a client must accept. */
const unknownField = 'extra'

const survivesMalformed: readonly Rule[] = malformKinds.map((kind) => ({
  ...(kind === unknownField
    ? {
        name: 'ignores-unknown-fields',
        title: 'Goes on when a reply has a field that it does not know',
        why: 'The service may add fields at any time. A client that refuses them stops working on that day.',
      }
    : {
        name: `survives-${kind}`,
        title: `Goes on when a value of a reply is wrong (${kind})`,
        why: 'One wrong value in one reply should not bring down the whole page.',
      }),
  exercise: `world.use('malformed-reply', { on: 'plants.list', at: '/0/name', kind: '${kind}' }), and use the client for a while`,
  watch({ pass, fail }) {
    const waiting = new Map<string, Past>()
    const byOperation = new Map<
      string,
      { last: Pick<Past, 'id' | 'endedAt'> | undefined; followed: number; unfollowed: number }
    >()
    return {
      see(request) {
        const { operation } = request
        if (operation === undefined) return
        for (const [id, past] of waiting)
          if (isAfter(request, past)) {
            pass(past, request)
            waiting.delete(id)
          }
        for (const one of byOperation.values())
          if (one.last && isAfter(request, one.last)) {
            one.followed++
            one.last = undefined
          }
        if (request.status >= 300 || request.status < 200) return
        if (request.acted.includes(kind)) waiting.set(operation, toPast(request))
        else if (request.acted.length === 0) {
          const one = byOperation.get(operation) ?? { last: undefined, followed: 0, unfollowed: 0 }
          if (one.last) one.unfollowed++
          const { id, endedAt } = request
          byOperation.set(operation, { ...one, last: { id, endedAt } })
        }
      },
      end() {
        for (const [operation, past] of waiting) {
          const { last, followed = 0, unfollowed = 0 } = byOperation.get(operation) ?? {}
          if (followed >= 2 && unfollowed === 0 && last === undefined)
            fail(`asked for nothing more; after ${followed} other replies of ${operation} it always did`, past)
        }
      },
    }
  },
}))

const permanent = new Set([400, 401, 403, 404])

const noRetryOf4xx: Rule = {
  name: 'no-retry-of-4xx',
  title: 'Does not repeat a request that was refused with 400, 401, 403 or 404',
  why: 'The answer stays the same: each try spends quota and makes the user wait.',
  exercise: "world.use('forbidden'), and do what the user does",
  watch({ pass, fail }) {
    const rejected = new NewestMap<Past>()
    return {
      see(request) {
        // A successful write may change what other requests get.
        if (request.method !== 'GET' && request.status < 300 && request.status >= 200) {
          for (const past of rejected.values()) pass(past)
          rejected.clear()
        }
        const past = rejected.get(request.same)
        if (past && isAfter(request, past) && past.status === request.status) {
          fail(`repeated after a ${past.status}`, past, request)
          rejected.delete(request.same)
        } else if (permanent.has(request.status)) rejected.set(request.same, toPast(request))
      },
      end() {
        for (const past of rejected.values()) pass(past)
      },
    }
  },
}

const stopsOnBadKey: Rule = {
  name: 'stops-on-bad-key',
  title: 'Stops using a key that was answered with 401',
  why: 'A key does not become valid again. The user needs to hear of it, once.',
  exercise: "world.use('expired-key'), and use the client for a while",
  watch({ pass, fail }) {
    const bad = new NewestMap<Past>()
    return {
      see(request) {
        const { authorization: key, status } = request
        if (key === undefined) return
        const past = bad.get(key)
        if (past && isAfter(request, past)) {
          bad.delete(key)
          if (status === 401) return fail('sent another request with the key', past, request)
        }
        if (status === 401 && !past) bad.set(key, toPast(request))
      },
      end() {
        for (const past of bad.values()) pass(past)
      },
    }
  },
}

const followsPagination: Rule = {
  name: 'follows-pagination',
  title: 'Reads the next page of a list, with the cursor it got',
  why: 'Whatever is not on the first page does not exist for the user.',
  exercise: 'read a list that has more records than its limit, such as apps.list with limit=1',
  watch({ pass, fail }) {
    const more = new NewestMap<Past & { operation: string }>()
    const followed = new Set<string>()
    return {
      see(request) {
        const { operation = '', query, status } = request
        const cursor = query.get('cursor')
        if (cursor !== null) {
          const page = more.get(`${operation} ${cursor}`)
          if (page) {
            followed.add(operation)
            pass(page, request)
            more.delete(`${operation} ${cursor}`)
          } else if (status === 400) fail('used a cursor that no reply had', request)
        }
        const next = toNextCursor(request)
        if (next !== undefined) more.set(`${operation} ${next}`, { ...toPast(request), operation })
      },
      end() {
        for (const page of more.values())
          if (!followed.has(page.operation)) {
            followed.add(page.operation)
            fail('has_more was true, and no request asked for the next page', page)
          }
      },
    }
  },
}

function toNextCursor({ text, status }: SeenRequest): string | undefined {
  if (status !== 200 || !text?.includes('"has_more":true')) return undefined
  return [...text.matchAll(/"next_cursor":"([^"\\]+)"/g)].at(-1)?.[1]
}

/** How much earlier than Retry-After a client may come, in milliseconds: the header counts whole seconds. */
const tolerance = 20

const retryAfterHonoured: Rule = {
  name: 'retry-after-honoured',
  title: 'Waits for Retry-After before it tries again',
  why: 'A client that comes back early gets the same error, and keeps the service busy for everybody.',
  exercise: "world.use('rate-limited-plan'), and move the world's clock on after the 429",
  watch({ pass, fail }) {
    const waiting = new NewestMap<Past>()
    return {
      see(request) {
        const past = waiting.get(request.same)
        if (past && isAfter(request, past)) {
          waiting.delete(request.same)
          const waited = waitedSince(past, request)
          const wanted = past.retryAfter!
          if (waited >= wanted - tolerance) pass(past, request)
          else fail(`waited ${toWait(waited)}, not ${toWait(wanted)}`, past, request)
        }
        if (request.retryAfter !== undefined) waiting.set(request.same, toPast(request))
      },
    }
  },
}

const cardRules: readonly Rule[] = [
  retryAfterHonoured,
  backsOff,
  givesUp,
  noRetryOf4xx,
  stopsOnBadKey,
  unsafeRetryHasKey,
  keyNeverInUrl,
  followsPagination,
  ...survivesMalformed,
  noStampede,
  releasesStreams,
  keepsContract,
]

/** What a rule found. */
export interface RuleGrade extends Pick<Rule, 'title' | 'why' | 'exercise'> {
  /** `retry-after-honoured`. */
  readonly rule: string
  /** `not exercised` if the requests show neither. */
  readonly result: 'passed' | 'failed' | 'not exercised'
  /** How often the client kept the rule, and how often it broke it. */
  readonly passed: number
  readonly failed: number
  /** The first requests that show the result. */
  readonly examples: readonly RuleExample[]
}

/** Requests in which a client kept or broke a rule. */
export interface RuleExample {
  /** What the client did wrong; absent if it kept the rule. */
  readonly message?: string
  readonly requests: readonly ShownRequest[]
}

/** How a client behaved, rule by rule. */
export interface ReportCard {
  /** The number of requests that it is based on. */
  readonly requests: number
  readonly rules: readonly RuleGrade[]
}

const maxExamples = 5

/** Grades a client by the requests of worlds. Of more than 200, it stops following the one that has been idle longest. */
export class CardWriter {
  #requests = 0
  readonly #tallies = cardRules.map(createTally)
  /** The watches of a world's present journal. A reset world counts as another one. */
  readonly #watches = new WeakMap<object, readonly Watch[]>()
  /** Those that are followed, the one that has been idle longest first. */
  readonly #open = new Set<readonly Watch[]>()

  see(journal: object, request: SeenRequest): void {
    this.#requests++
    let watches = this.#watches.get(journal)
    if (!watches) {
      watches = cardRules.map((rule, index) => rule.watch(toRuleReport(this.#tallies[index]!)))
      this.#watches.set(journal, watches)
    } else if (!this.#open.delete(watches)) return
    this.#open.add(watches)
    if (this.#open.size > 200) this.#end(this.#open.values().next().value!)
    for (const watch of watches) watch.see(request)
  }

  #end(watches: readonly Watch[]): void {
    this.#open.delete(watches)
    for (const watch of watches) watch.end?.()
  }

  /** Stops following all worlds, and returns the card. */
  close(): ReportCard {
    for (const watches of this.#open) this.#end(watches)
    return {
      requests: this.#requests,
      rules: cardRules.map(({ name, title, why, exercise }, index) => {
        const { passed, failed, kept, broken } = this.#tallies[index]!
        return {
          rule: name,
          title,
          result: failed > 0 ? 'failed' : passed > 0 ? 'passed' : 'not exercised',
          passed,
          failed,
          why,
          exercise,
          examples: failed > 0 ? broken : kept.slice(0, 1),
        }
      }),
    }
  }
}

function createTally() {
  return { passed: 0, failed: 0, kept: [] as RuleExample[], broken: [] as RuleExample[] }
}

function toRuleReport(tally: ReturnType<typeof createTally>): RuleReport {
  return {
    pass(...requests) {
      tally.passed++
      if (tally.kept.length === 0) tally.kept.push({ requests: requests.map((request) => request.show()) })
    },
    fail(message, ...requests) {
      tally.failed++
      if (tally.broken.length < maxExamples)
        tally.broken.push({ message, requests: requests.map((request) => request.show()) })
    },
  }
}

export function mergeCards(cards: readonly ReportCard[]): ReportCard {
  const [first] = cards
  if (!first || cards.length === 1) return first ?? new CardWriter().close()
  return {
    requests: cards.reduce((sum, { requests }) => sum + requests, 0),
    rules: first.rules.map((rule) => {
      const found = cards.flatMap(({ rules }) => rules.filter((other) => other.rule === rule.rule))
      const passed = found.reduce((sum, one) => sum + one.passed, 0)
      const failed = found.reduce((sum, one) => sum + one.failed, 0)
      const result = failed > 0 ? 'failed' : passed > 0 ? 'passed' : 'not exercised'
      const shown = found.filter((one) => one.result === result).flatMap(({ examples }) => examples)
      return { ...rule, result, passed, failed, examples: shown.slice(0, failed > 0 ? maxExamples : 1) }
    }),
  }
}
