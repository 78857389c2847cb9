import { malformKinds } from '../scenarios/language/malformation.ts'
import {
  type EndedRequest,
  isAfter,
  NewestMap,
  type PastRequest,
  type Rule,
  type RuleReport,
  type SeenRequest,
  toPastRequest,
  type Watch,
} from './rule.ts'

/** The most equal reads, and the most requests, that a good client sends at once. */
const maxAlike = 10
const maxAtOnce = 50

/**
 * Returns a function that takes each request when it has ended, and returns how many there were at
 * once while it ran, with itself. @param maxCounted the number above which it need not count
 */
function createConcurrencyCounter(maxCounted: number) {
  const recent: {
    readonly start: number
    readonly end: number
  }[] = []
  return ({ startedAt, endedAt }: SeenRequest): number => {
    recent.push({
      start: startedAt,
      end: endedAt,
    })
    if (recent.length > maxCounted + 1) recent.shift()
    // The number is the highest where some request starts.
    const starts = recent
      .map(({ start }) => start)
      .filter((start) => start >= startedAt && start <= endedAt)
    return Math.max(
      ...starts.map(
        (time) => recent.filter(({ start, end }) => start <= time && end > time).length,
      ),
      1,
    )
  }
}

/** Returns the last cursor of a reply in its text, as parsing every list would take too long. */
function toNextCursor({ text, status }: SeenRequest): string | undefined {
  if (status !== 200 || !text?.includes('"has_more":true')) return undefined
  return [...text.matchAll(/"next_cursor":"([^"\\]+)"/g)].at(-1)?.[1]
}

export const usageRules: readonly Rule[] = [
  {
    name: 'key-never-in-url',
    title: 'Sends its key in the header only',
    why: 'URLs are stored in logs, histories and proxies, and the key with them.',
    exercise: 'any request with a key',
    watch: ({ pass, fail }) => ({
      see(request) {
        const mistake = request.mistakes.find(({ rule }) => rule === 'key-in-url')
        if (mistake) fail(mistake.message, request)
        else if (request.authorization !== undefined) pass(request)
      },
    }),
  },
  {
    name: 'follows-pagination',
    title: 'Reads the next page of a list, with the cursor it got',
    why: 'Whatever is not on the first page does not exist for the user.',
    exercise: 'read a list that has more records than its limit, such as apps.list with limit=1',
    watch({ pass, fail, suspect, clear }) {
      // The lists whose next page was not yet asked for, by operation and next cursor.
      const pages = new NewestMap<PastRequest & { operation: string }>()
      return {
        see(request) {
          const { operation = '', query, status } = request
          const cursor = query.get('cursor')
          if (cursor !== null) {
            const page = pages.get(`${operation} ${cursor}`)
            if (page) {
              clear(operation)
              pass(page, request)
              pages.delete(`${operation} ${cursor}`)
            } else if (status === 400) fail('used a cursor that no reply had', request)
          }
          const next = toNextCursor(request)
          if (next !== undefined)
            pages.set(`${operation} ${next}`, { ...toPastRequest(request), operation })
        },
        end() {
          for (const page of pages.values())
            suspect(
              page.operation,
              'has_more was true, and no request asked for the next page',
              page,
            )
        },
      }
    },
  },
  ...malformKinds.map(toMalformRule),
  {
    name: 'no-stampede',
    title: `Sends at most ${maxAlike} equal reads at once, and ${maxAtOnce} requests`,
    why: 'Every component that loads the same list by itself costs quota, and a rate limit hits the whole page.',
    exercise: "world.use('slow'), and open the page that shows the most",
    watch({ pass, fail }) {
      const countAll = createConcurrencyCounter(maxAtOnce)
      const countersOfEqual = new NewestMap<(request: SeenRequest) => number>()
      let concurrent: PastRequest | undefined
      let hasFailed = false
      return {
        see(request) {
          const atOnce = countAll(request)
          let equal = 1
          if (request.method === 'GET') {
            const countEqual =
              countersOfEqual.get(request.identity) ?? createConcurrencyCounter(maxAlike)
            countersOfEqual.set(request.identity, countEqual)
            equal = countEqual(request)
          }
          if (atOnce > 1) concurrent ??= toPastRequest(request)
          if (hasFailed || (equal <= maxAlike && atOnce <= maxAtOnce)) return
          hasFailed = true
          fail(
            equal > maxAlike ? `${equal} equal reads at once` : `${atOnce} requests at once`,
            request,
          )
        },
        end() {
          if (concurrent && !hasFailed) pass(concurrent)
        },
      }
    },
  },
  {
    name: 'releases-streams',
    title: 'Reads a stream to its end, or cancels it',
    why: 'A stream that nobody reads holds a connection; browsers have six for a host.',
    exercise: 'send a message with stream: true, and leave the page before the reply has ended',
    watch: ({ pass, fail }) => ({
      see(request) {
        if (!request.isStream || request.status >= 300) return
        if (request.isOpen) fail('left a stream open', request)
        else pass(request)
      },
    }),
  },
  {
    name: 'contract',
    title: 'Sends only what the contract allows',
    why: 'What the service ignores today, or a mock lets through, it may refuse tomorrow.',
    exercise: 'any request: docs/judging.md lists the rules',
    watch: ({ pass, fail }) => ({
      see(request) {
        const mistakes = request.mistakes.map(({ rule, message }) => `${rule}: ${message}`)
        if (mistakes.length > 0) fail(mistakes.join(' '), request)
        else if (request.operation !== undefined) pass(request)
      },
    }),
  },
]

function toMalformRule(kind: (typeof malformKinds)[number]): Rule {
  // An unknown field is one that a client must accept.
  const text =
    kind === 'extra'
      ? {
          name: 'ignores-unknown-fields',
          title: 'Goes on when a reply has a field that it does not know',
          why: 'The service may add fields at any time. A client that refuses them stops working on that day.',
        }
      : {
          name: `survives-${kind}`,
          title: `Goes on when a value of a reply is wrong (${kind})`,
          why: 'One wrong value in one reply should not bring down the whole page.',
        }
  const exercise = `world.use('malformed-reply', { on: 'plants.list', at: '/0/name', kind: '${kind}' }), and use the client for a while`
  return {
    ...text,
    exercise,
    watch: (report) => new FollowerWatch(kind, report),
  }
}

/**
 * The last good reply of an operation, as long as no request followed it, and of how many such
 * replies a request followed, or did not.
 */
interface FollowUps {
  last: EndedRequest | undefined
  followed: number
  unfollowed: number
}

/**
 * Sees whether a client goes on after a malformed reply, as it does after other replies: whether it
 * sends another request.
 */
class FollowerWatch implements Watch {
  /** How the replies are malformed: `extra`. */
  #kind: string
  #report: RuleReport
  /** The malformed replies that no request has followed yet, by operation. */
  #waiting = new Map<string, PastRequest>()
  /** The requests that followed the other replies, by operation. */
  #byOperation = new Map<string, FollowUps>()

  constructor(kind: string, report: RuleReport) {
    this.#kind = kind
    this.#report = report
  }

  see(request: SeenRequest) {
    const { operation, status, effects } = request
    if (operation === undefined) return
    this.#follow(request)
    if (status >= 300 || status < 200) return
    if (effects.includes(this.#kind)) this.#waiting.set(operation, toPastRequest(request))
    else if (effects.length === 0) this.#remember(operation, request)
  }

  end() {
    const { clear, suspect } = this.#report
    // Where a client sometimes does nothing after a good reply either, that proves nothing.
    for (const [operation, { last, unfollowed }] of this.#byOperation)
      if (unfollowed > 0 || last) clear(operation)
    for (const [operation, past] of this.#waiting) {
      const { followed = 0 } = this.#byOperation.get(operation) ?? {}
      if (followed < 2) continue
      const why = `asked for nothing more; after ${followed} other replies of ${operation} it always did`
      suspect(operation, why, past)
    }
  }

  /** Notes which earlier replies the request follows. */
  #follow(request: SeenRequest) {
    for (const [id, past] of this.#waiting)
      if (isAfter(request, past)) {
        this.#report.pass(past, request)
        this.#waiting.delete(id)
      }
    for (const replies of this.#byOperation.values())
      if (replies.last && isAfter(request, replies.last)) {
        replies.followed++
        replies.last = undefined
      }
  }

  #remember(operation: string, { id, endedAt }: SeenRequest) {
    const none = {
      last: undefined,
      followed: 0,
      unfollowed: 0,
    }
    const replies = this.#byOperation.get(operation) ?? none
    if (replies.last) replies.unfollowed++
    this.#byOperation.set(operation, {
      ...replies,
      last: { id, endedAt },
    })
  }
}
