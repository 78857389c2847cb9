import type { AreaName } from '../../areas/event-types.ts'
import { areas, assumptionRegistry } from '../../api/assembly/catalogue.ts'
import { mapStrings } from '../../api/inspect/collections.ts'
import type { AssumptionId } from '../../api/types/names.ts'
import type { Assume } from '../../core/contract/assumptions.ts'
import type { Operation } from '../../core/pipeline/operation.ts'
import { Router } from '../../core/pipeline/router.ts'
import {
  areaOf,
  type InconclusiveResult,
  type ProbeFinding,
  type ReplyRule,
  type RuleVerdict,
  type VerifyRule,
} from './finding.ts'
import { listAll, plantsOf, removePlant } from './plants.ts'
import { probes } from './probes/index.ts'
import { checkReachable, type Need, readReset, Session, type SessionOptions } from './session.ts'
import { verifyRules } from './rules/index.ts'
import {
  Broken,
  describeReply,
  Inconclusive,
  isSuccess,
  mediaType,
  member,
  NoReply,
  type ServerReply,
  Stopped,
} from './wire.ts'

export interface VerifyOptions extends SessionOptions {
  readonly only?: ((id: string) => boolean) | undefined
}

/** The fields of a report that no server writes: a key such as "expired" stays in the id of a rule. */
const ownFields = new Set(['id', 'area', 'words', 'source', 'outcome', 'question', 'standard', 'value'])

export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const { only = () => true, targets } = options
  const isWanted = (one: Pick<VerifyRule, 'id'>) => only(one.id) && targets[areaOf(one)] !== undefined
  const session = new Session(options)
  const checks = replyChecks(session, replyRules)
  const documents = documentRules(session)
  await checkReachable(session)
  const found: RuleResult[] = []
  const seen: AssumptionResult[] = []
  const left: string[] = []
  let ended: string | undefined
  const poll = async (isNow: (needs: readonly Need[] | undefined) => boolean) => {
    for (const rule of verifyRules.filter((one) => isWanted(one) && isNow(one.needs))) {
      const result = await checkNeeds(session, rule, async (): Promise<RuleVerdict> => {
        try {
          await rule.probe(session)
          return { outcome: 'kept' }
        } catch (error) {
          if (error instanceof Broken) return { outcome: 'broken', why: error.message, reply: error.reply }
          throw error
        }
      })
      found.push({ ...toHead(rule), ...result })
    }
    for (const probe of probes.filter((one) => isWanted(one) && isNow(one.needs))) {
      const finding = await checkNeeds(session, probe, () => probe.poll(session))
      if (finding.outcome === 'value') session.learned.set(probe.id, finding.value)
      seen.push({ id: probe.id, ...toQuestion(probe.id), ...finding })
    }
  }
  try {
    await provoke(session)
    await poll((needs = []) => !needs.includes('rate-limit'))
    // Nothing can be deleted while the limit is spent.
    left.push(...(await session.cleanUp()))
    left.push(...(await sweepPlants(session, countPlants(left))))
    await poll((needs = []) => needs.includes('rate-limit'))
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    ended = error.message
  } finally {
    left.push(...(await session.cleanUp()))
    // A stopped run has not deleted these yet.
    if (ended !== undefined) left.push(...(await sweepPlants(session, countPlants(left))))
  }
  found.push(
    ...replyRules.filter(isWanted).map((rule) => ({ ...toHead(rule), ...checks(rule) })),
    ...documents().filter(({ id }) => only(id)),
  )
  for (const [id, why] of Object.entries(unobservable))
    if (only(id) && targets.apps !== undefined) seen.push({ id, ...toQuestion(id), outcome: 'unseen', why })
  const order = assumptionRegistry.list().map(({ id }) => id)
  const report: VerifyReport = {
    targets,
    rules: found,
    probes: seen.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id)),
    left,
    bought: session.bought,
    ended,
  }
  return mapStrings(report, (text, name) => (ownFields.has(name) ? text : session.redact(text))) as VerifyReport
}

function countPlants(left: readonly string[]): number {
  return left.filter((one) => one.startsWith('the plant ')).length
}

async function checkNeeds<T extends RuleVerdict | ProbeFinding>(
  session: Session,
  { needs }: Pick<VerifyRule, 'needs'>,
  find: () => Promise<T>,
): Promise<T | InconclusiveResult> {
  const lack = session.lacks(needs)
  if (lack !== undefined) return { outcome: 'unseen', why: lack }
  if (session.client.isLost) throw new Stopped('The server no longer answers.')
  try {
    return await find()
  } catch (error) {
    if (error instanceof Inconclusive) return { outcome: 'unseen', why: error.message, among: error.among }
    if (error instanceof NoReply) return { outcome: 'unseen', why: error.message, noReply: true }
    throw error
  }
}

function toHead({ id, words }: Pick<VerifyRule, 'id' | 'words'>) {
  return { id, area: areaOf({ id }), words, source: 'stated' as const }
}

function toQuestion(id: string) {
  const { question, values } = assumptionRegistry.list().find((assumption) => assumption.id === id)!
  return { question, standard: values[0] }
}

export function knownIds(): readonly string[] {
  const { operations } = areas.find(({ name }) => name === 'apps')!
  return [...verifyRules, ...replyRules, ...assumptionRegistry.list()]
    .map(({ id }) => id)
    .concat(operations.map(({ id }) => `document.${id}`))
}

const unobservable: Readonly<Partial<Record<AssumptionId, string>>> = {
  'rate-limit.rejected': 'a run stops at the first 429, and the headers of a spent window say 0 left either way',
  'webhooks.timestamp':
    'the three differ only where the clock of the server is not that of the machine, or a delivery is late',
  'payments.renewal-retries': 'it shows only days after an unpaid renewal',
  'payments.unpaid': 'it shows only days after an unpaid renewal',
}

/** Provokes errors that no rule needs, so that the rules of every reply see them. */
async function provoke(session: Session): Promise<void> {
  const { client, options } = session
  if (!options.allowWrites) return
  try {
    if (options.targets.apps !== undefined) {
      await client.call('apps', 'PATCH', '/apps', { body: {} })
      await client.call('apps', 'POST', '/apps', {
        body: 'greenhouse-verify',
        headers: { 'Content-Type': 'text/plain' },
      })
      await client.call('apps', 'GET', '/greenhouse-verify')
    }
    if (options.targets.plants !== undefined) await client.call('plants', 'PATCH', '/plants', { body: {} })
  } catch (error) {
    if (!(error instanceof NoReply || error instanceof Inconclusive)) throw error
  }
}

function replyChecks(session: Session, rules: readonly ReplyRule[]): (rule: ReplyRule) => RuleVerdict {
  const results = new Map<ReplyRule, RuleVerdict>()
  session.client.listen((reply) => {
    for (const rule of rules) {
      if (areaOf(rule) !== reply.area || results.get(rule)?.outcome === 'broken' || !rule.concerns(reply)) continue
      const wrong = rule.check(reply, session)
      results.set(
        rule,
        wrong === undefined
          ? { outcome: 'kept' }
          : { outcome: 'broken', why: `${describeReply(reply)}: ${wrong}`, reply },
      )
    }
  })
  return (rule) => results.get(rule) ?? { outcome: 'unseen', why: 'no reply of this kind came' }
}

const call = { cleansUp: true } as const

/**
 * Deletes plants of the run that the server stored under another id, or under the same id in another notation. Returns those that
 * are left: a plant without an id cannot be deleted. @param known the number of plants already reported by id.
 */
async function sweepPlants(session: Session, known: number): Promise<string[]> {
  if (!session.options.allowWrites || session.options.targets.plants === undefined || session.client.isLost) return []
  try {
    for (const plant of await ownPlants(session)) {
      const id = member(plant, 'id')
      if (typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint')
        await removePlant(session, encodeURIComponent(String(id)), call)
    }
    const left = await session.until(
      () => ownPlants(session),
      ({ length }) => length <= known,
    )
    // A list that lags still has deleted plants.
    const names = left
      .map((plant) => member(plant, 'name'))
      .filter((name) => !session.isBlind || !session.deleted.has(name))
    const idOf = (name: unknown) => [...session.plants].find(([, known]) => known === name)?.[0]
    return names.slice(known).map((name) => {
      const id = idOf(name)
      return `the plant "${String(name)}"${id === undefined ? '' : `, sent with the id ${id}`}`
    })
  } catch (error) {
    if (error instanceof Inconclusive) return []
    throw error
  }
}

async function ownPlants(session: Session): Promise<readonly unknown[]> {
  const plants = plantsOf(await listAll(session, call))
  return plants.filter((plant) => session.isOwnName(member(plant, 'name')))
}

/**
 * Compares one success of each operation of app management with our document. Returns a function that gives the
 * verdicts at the end, when the assumptions are known.
 */
function documentRules(session: Session): () => RuleResult[] {
  const { operations } = areas.find(({ name }) => name === 'apps')!
  const router = new Router(operations)
  const replies = new Map<Operation, ServerReply>()
  session.client.listen((reply) => {
    if (reply.area !== 'apps' || !isSuccess(reply) || mediaType(reply) === 'text/event-stream') return
    const { operation } = router.match(reply.asked.method, reply.path)
    if (operation) replies.set(operation, reply)
  })
  return () => {
    const values = assumptionRegistry.resolve(Object.fromEntries(session.learned))
    const assume: Assume = (_, id) => values.get(id)!
    return [...replies].map(([operation, reply]) => {
      const problem = findProblem(operation, reply, assume)
      return {
        id: `document.${operation.id}`,
        area: 'apps',
        words: `${operation.method} ${operation.path} is answered as the OpenAPI document of Greenhouse says.`,
        source: 'ours' as const,
        ...(problem === undefined ? { outcome: 'kept' as const } : { outcome: 'broken' as const, why: problem, reply }),
      }
    })
  }
}

function findProblem(operation: Operation, { status, json, text }: ServerReply, assume: Assume): string | undefined {
  const statuses = operation.statuses?.(assume) ?? [200]
  if (!statuses.includes(status)) return `the status is ${status}, not ${statuses.join(' or ')}`
  const schema = operation.resultUnder?.(assume) ?? operation.result
  if (!schema) return text === '' ? undefined : 'there is a body, where the document has none'
  const { error } = schema.safeParse(json, { error: () => 'it does not match the schema' })
  const [issue] = error?.issues ?? []
  return issue && `${issue.path.length === 0 ? 'the body' : issue.path.join('.')}: ${issue.code}`
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isError = (reply: ServerReply) => reply.status >= 400 && reply.asked.method !== 'HEAD'
const isInteger = (text: string | undefined) => text !== undefined && text !== '' && Number.isInteger(Number(text))

const always = () => true

/** The tolerance between clocks, in milliseconds. */
const skew = 60_000

const replyRules: readonly ReplyRule[] = [
  {
    id: 'plants.errors.body',
    words: 'An error of the plant store is an object with error, a 32-bit integer, and message, a string.',
    concerns: isError,
    check({ json }) {
      const error = member(json, 'error')
      if (typeof error !== 'number' || !Number.isInteger(error) || Math.abs(error) >= 2 ** 31)
        return 'error is not a 32-bit integer'
      return isText(member(json, 'message')) ? undefined : 'message is not a string'
    },
  },
  jsonRule('plants'),
  {
    id: 'apps.errors.body',
    words: 'An error of app management is an object with error, an object with the strings code and message.',
    concerns: isError,
    check({ json }) {
      const error = member(json, 'error')
      const missing = ['code', 'message'].find((name) => !isText(member(error, name)))
      return missing === undefined ? undefined : `error.${missing} is not a string`
    },
  },
  {
    id: 'apps.errors.request-id',
    words: 'An error of app management has error.request_id, a string that identifies the request.',
    concerns: (reply) => isError(reply) && typeof member(reply.json, 'error') === 'object',
    check({ json }) {
      const id = member(member(json, 'error'), 'request_id')
      return isText(id) && id !== '' ? undefined : 'error.request_id is not a string, or is empty'
    },
  },
  {
    id: 'apps.errors.status',
    words: 'The status of an error of app management is 400, 401, 403, 404, 429 or 500.',
    concerns: ({ status }) => status >= 400,
    check: ({ status }) => ([400, 401, 403, 404, 429, 500].includes(status) ? undefined : `the status is ${status}`),
  },
  jsonRule('apps'),
  {
    id: 'apps.headers.limit',
    words: 'Every reply carries X-RateLimit-Limit: the limit of a plan, per minute or per day.',
    concerns: always,
    check({ status, headers: { 'x-ratelimit-limit': limit } }, { plans }) {
      if (limit === undefined) return 'X-RateLimit-Limit is missing'
      // The limit without a known key is not stated.
      if (status === 401) return isInteger(limit) ? undefined : `X-RateLimit-Limit is ${limit}`
      const limits = plans.flatMap(({ minute, day }) => [minute, day])
      return limits.includes(Number(limit)) ? undefined : `X-RateLimit-Limit is ${limit}, which is the limit of no plan`
    },
  },
  {
    id: 'apps.headers.remaining',
    words: 'Every reply carries X-RateLimit-Remaining: how many requests are left, no more than the limit.',
    concerns: always,
    check({ headers: { 'x-ratelimit-remaining': remaining, 'x-ratelimit-limit': limit } }) {
      if (remaining === undefined) return 'X-RateLimit-Remaining is missing'
      if (!isInteger(remaining) || Number(remaining) < 0) return `X-RateLimit-Remaining is ${remaining}`
      return isInteger(limit) && Number(remaining) > Number(limit)
        ? `X-RateLimit-Remaining is ${remaining}, of ${limit}`
        : undefined
    },
  },
  {
    id: 'apps.headers.reset',
    words: 'Every reply carries X-RateLimit-Reset: a time within the next day.',
    concerns: always,
    check({ headers: { 'x-ratelimit-reset': reset }, at }) {
      if (reset === undefined) return 'X-RateLimit-Reset is missing'
      const time = readReset(reset, at)
      if (time === undefined) return `X-RateLimit-Reset is ${reset}, which is not a time`
      return time.resetsAt < at - skew || time.resetsAt > at + 86_400_000 + skew
        ? `X-RateLimit-Reset is ${reset}, which is not within the next day`
        : undefined
    },
  },
]

function jsonRule(area: AreaName): ReplyRule {
  return {
    id: `${area}.json`,
    words: 'Bodies of replies are declared as application/json, and are JSON.',
    concerns: (reply) => reply.text !== '' && mediaType(reply) !== 'text/event-stream',
    check: (reply) =>
      mediaType(reply) !== 'application/json'
        ? `the Content-Type is "${reply.headers['content-type'] ?? ''}"`
        : reply.json === undefined
          ? 'the body is not JSON'
          : reply.encoding,
  }
}

export type RuleResult = RuleVerdict & {
  readonly id: string
  readonly area: string
  readonly words: string
  /** Breaking a stated rule is a failure; breaking one of ours is only a difference. */
  readonly source: 'stated' | 'ours'
}

export type AssumptionResult = ProbeFinding & {
  readonly id: string
  readonly question: string
  readonly standard: string
}

export interface VerifyReport {
  readonly targets: Readonly<Partial<Record<AreaName, string>>>
  readonly rules: readonly RuleResult[]
  readonly probes: readonly AssumptionResult[]
  readonly left: readonly string[]
  readonly bought: readonly string[]
  readonly ended?: string | undefined
}
