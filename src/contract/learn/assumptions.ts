import type { AssumptionChoices } from '../../api/types/names.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { isObject } from '../../core/contract/options.ts'
import { markSent, type Reply, replyHeader, toBytes, toText } from '../../core/http/reply.ts'
import { isTime } from '../../core/time/time-text.ts'
import { readReset } from '../verify/session.ts'
import { parseJsonOr } from '../../core/http/json.ts'
import type { Traffic } from './records.ts'

/** How much of the traffic is repeated for each value of an assumption. */
export const maxReplayed = 500

/** The most rounds: an assumption may show only under the right value of another. */
const maxRounds = 3

/** An assumption that every reply shows, so that no entry lists it. */
const always = ['http.date']

interface Difference {
  readonly operation: string
  readonly status: number
  /** `status`, `headers.Retry-After`, `body.data.0.name` */
  readonly differs: readonly string[]
}

export function toDifference({ operation, method, status }: Traffic, differs: readonly string[]): Difference {
  return { operation: operation?.id ?? method, status, differs }
}

/** Returns the differences, each once, with how often it was there. */
export function counted(differences: readonly Difference[]): (Difference & { readonly count: number })[] {
  const counts = new Map<string, Difference & { count: number }>()
  for (const one of differences) {
    if (one.differs.length === 0) continue
    const name = JSON.stringify(one)
    counts.set(name, { ...one, count: (counts.get(name)?.count ?? 0) + 1 })
  }
  return [...counts.values()]
}

/**
 * Repeats traffic on a mock with the learnt records, under each value of each assumption that its replies depend on, and chooses the
 * values under which the fewest parts of replies differ. Returns the values without which the mock answers in another way than the
 * service, and the replies that it gives in another way with them too.
 */
export function learnAssumptions(traffic: readonly Traffic[], mock: Greenhouse) {
  const known = mock.assumptions()
  const chosen: Record<string, string> = {}
  let best = repeat(traffic, mock, chosen)
  const shown = new Set<string>()
  for (let round = 0, isBetter = true; isBetter && round < maxRounds; round++) {
    isBetter = false
    shown.clear()
    for (const { id, values } of known) {
      if (!best.consulted.has(id)) continue
      let isShown = true
      for (const value of values) {
        if (value === (chosen[id] ?? values[0])) continue
        const other = repeat(traffic, mock, { ...chosen, [id]: value }, best.score)
        if (other.score === best.score) isShown = false
        if (other.score >= best.score) continue
        best = other
        chosen[id] = value
        isBetter = true
      }
      if (isShown) shown.add(id)
    }
  }
  const values = known.flatMap(({ id, values: [first] }) =>
    id in chosen || shown.has(id) ? [[id, chosen[id] ?? first] as const] : [],
  )
  return { values: Object.fromEntries<string>(values), differences: counted(best.differences) }
}

/** @param limit stops above this score */
function repeat(traffic: readonly Traffic[], mock: Greenhouse, assumptions: AssumptionChoices, limit = Infinity) {
  mock.deleteWorld('learnt')
  const world = mock.world('learnt')
  world.assume(assumptions)
  const { journal, clock } = world.core
  const ids = new Map<string, string>()
  const consulted = new Set<string>(always)
  const differences: Difference[] = []
  let score = 0
  const toOwn = (text: string) => (ids.size === 0 ? text : text.replace(/[\w-]{6,}/g, (word) => ids.get(word) ?? word))
  for (const seen of traffic.slice(0, maxReplayed)) {
    if (seen.at > clock.now()) clock.set(seen.at)
    const reply = mock.handle({
      method: seen.method,
      path: `/~learnt${toOwn(seen.path)}`,
      search: toOwn(seen.search),
      headers: seen.sent,
      body: seen.body === undefined ? null : toBytes(toOwn(seen.body)),
    }) as Reply
    markSent(reply)
    for (const id of journal.record(journal.lastId)?.assumed ?? []) consulted.add(id)
    const differs = [...compare(seen, reply, ids)]
    differences.push(toDifference(seen, differs))
    score += differs.length
    if (score > limit) break
  }
  return { score, consulted, differences }
}

function* compare({ status, headers, json }: Traffic, reply: Reply, ids: Map<string, string>): Generator<string> {
  if (status !== reply.status) return yield 'status'
  const names = new Map(
    [...Object.keys(headers), ...Object.keys(reply.headers)].map((name) => [name.toLowerCase(), name]),
  )
  for (const name of names.values()) {
    const [one, other] = [replyHeader(headers, name), replyHeader(reply.headers, name)]
    if (toKind(name, one) !== toKind(name, other)) yield `headers.${name}`
  }
  yield* compareValues(json, parseJsonOr(toText(toBytes(reply.body ?? '')), undefined), ids, 'body')
}

/** What of a header is compared: of times, only how they are written. */
function toKind(name: string, value: string | undefined): string | undefined {
  if (/^x-greenhouse/i.test(name)) return undefined
  if (value === undefined || /^(date|x-request-id|content-length|vary)$/i.test(name)) return value && 'any'
  return /reset/i.test(name) ? readReset(value, 0)?.unit : value
}

function* compareValues(one: unknown, other: unknown, ids: Map<string, string>, field: string): Generator<string> {
  if (one === other || /\bmessage$/.test(field)) return
  if (Array.isArray(one) ? Array.isArray(other) : isObject(one) && isObject(other)) {
    const [before, after] = [one, other] as Record<string, unknown>[]
    for (const name of new Set([...Object.keys(before!), ...Object.keys(after!)]))
      yield* compareValues(before![name], after![name], ids, `${field}.${name}`)
  } else if (!(typeof one === 'string' && typeof other === 'string' && isAlike(one, other, ids, field))) yield field
}

/** Whether texts are the same but for what is random, or of another time. Remembers which ids stand for each other. */
function isAlike(one: string, other: string, ids: Map<string, string>, field: string): boolean {
  if (isTime(one) && isTime(other)) return true
  if (!/(?:\bid|_id|cursor|secret)$/.test(field)) return false
  const known = ids.get(one)
  if (known === undefined) ids.set(one, other)
  return known === undefined || known === other
}
