import { areas, assumptionRegistry } from '../../catalogue/catalogue.ts'
import { errorStatuses } from '../../areas/apps/errors.ts'
import type { AreaName } from '../../areas/event-types.ts'
import { plantErrorSchema } from '../../areas/plants/schemas.ts'
import type { Area } from '../../core/pipeline/area.ts'
import type { Operation } from '../../core/pipeline/operation.ts'
import { findContractBreaches } from '../../core/pipeline/reply-contract.ts'
import { Router } from '../../core/pipeline/router.ts'
import { type RuleFinding, type RuleResult, type StatedRule, statedRules } from './probe.ts'
import type { Session } from './session.ts'
import { areaOf, member, readReset, type ServerReply } from './wire.ts'

/**
 * Checks every reply of a run. Returns a function that gives the results at the end, when the
 * assumptions are known.
 */
export function watchReplies(
  session: Session,
  isWanted: (id: string) => boolean,
): () => RuleResult[] {
  const area = findAppsArea()
  const router = new Router(area.operations)
  const wanted = replyRules.filter(({ id }) => isWanted(id))
  const findings = new Map<ReplyRule, RuleFinding>()
  const succeeded = new Map<Operation, ServerReply>()
  session.onReply = (reply) => {
    const asked = areaOf(reply.path)
    const isOpen = (rule: ReplyRule) => findings.get(rule)?.outcome !== 'broken'
    for (const rule of wanted) {
      if (areaOf(rule.id) !== asked || !isOpen(rule) || rule.concerns?.(reply) === false) continue
      const result = rule.check(reply, session)
      findings.set(rule, toFinding(result === true ? undefined : `${reply}: ${result}`, reply))
    }
    if (asked !== 'apps' || !reply.isSuccess || reply.mediaType === 'text/event-stream') return
    const { operation } = router.match(reply.asked.method, reply.path)
    if (operation && isWanted(documentId(operation))) succeeded.set(operation, reply)
  }
  return () => {
    const values = assumptionRegistry.resolve(Object.fromEntries(session.learned))
    return [
      ...wanted.map((rule) => ({
        ...headOfRule(rule.id),
        ...(findings.get(rule) ?? inconclusive),
      })),
      ...Array.from(succeeded, ([operation, reply]) => ({
        id: documentId(operation),
        area: 'apps',
        words: `${operation.method} ${operation.path} is answered as the OpenAPI document of Greenhouse says.`,
        source: 'ours' as const,
        ...toFinding(findContractBreaches(area, operation, reply, values)[0], reply),
      })),
    ]
  }
}

const inconclusive: RuleFinding = {
  outcome: 'unseen',
  why: 'no reply of this kind came',
}

export function findAppsArea(): Area {
  return areas.find(({ name }) => name === 'apps')!
}

export function headOfRule(id: StatedRule) {
  return {
    id,
    area: areaOf(id),
    words: statedRules[id],
    source: 'stated' as const,
  }
}

function toFinding(why: string | undefined, reply: ServerReply): RuleFinding {
  if (why === undefined) return { outcome: 'kept' }
  return {
    outcome: 'broken',
    why,
    reply,
  }
}

export function documentId({ id }: { readonly id: string }): string {
  return `document.${id}`
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isError = (reply: ServerReply) => reply.status >= 400 && reply.asked.method !== 'HEAD'
const isInteger = (text: string | undefined) =>
  text !== undefined && text !== '' && Number.isInteger(Number(text))

const skew = 60_000

interface ReplyRule {
  readonly id: StatedRule
  /** A rule without it is about every reply. */
  concerns?(reply: ServerReply): boolean
  /** Returns what is wrong, or true. */
  check(reply: ServerReply, session: Session): string | true
}

const replyRules: readonly ReplyRule[] = [
  {
    id: 'plants.errors.body',
    concerns: isError,
    check: ({ json }) =>
      plantErrorSchema.safeParse(json).success ||
      'error is not a 32-bit integer, or message is not a string',
  },
  jsonRule('plants'),
  {
    id: 'apps.errors.body',
    concerns: isError,
    check({ json }) {
      const error = member(json, 'error')
      const missing = ['code', 'message'].find((name) => !isText(member(error, name)))
      return missing === undefined || `error.${missing} is not a string`
    },
  },
  {
    id: 'apps.errors.request-id',
    concerns: (reply) => isError(reply) && typeof member(reply.json, 'error') === 'object',
    check({ json }) {
      const id = member(member(json, 'error'), 'request_id')
      return (isText(id) && id !== '') || 'error.request_id is not a string, or is empty'
    },
  },
  {
    id: 'apps.errors.status',
    concerns: ({ status }) => status >= 400,
    check: ({ status }) => errorStatuses.has(status) || `the status is ${status}`,
  },
  jsonRule('apps'),
  {
    id: 'apps.headers.limit',
    check({ status, headers: { 'x-ratelimit-limit': limit } }, { plans }) {
      if (limit === undefined) return 'X-RateLimit-Limit is missing'
      // The limit without a known key is not stated.
      if (status === 401) return isInteger(limit) || `X-RateLimit-Limit is ${limit}`
      const limits = plans.flatMap(({ minute, day }) => [minute, day])
      const isKnown = limits.includes(Number(limit))
      return isKnown || `X-RateLimit-Limit is ${limit}, which is the limit of no plan`
    },
  },
  {
    id: 'apps.headers.remaining',
    check({ headers: { 'x-ratelimit-remaining': remaining, 'x-ratelimit-limit': limit } }) {
      if (remaining === undefined) return 'X-RateLimit-Remaining is missing'
      const max = isInteger(limit) ? Number(limit) : Infinity
      const isLeft = isInteger(remaining) && Number(remaining) >= 0 && Number(remaining) <= max
      return isLeft || `X-RateLimit-Remaining is ${remaining}, of ${limit}`
    },
  },
  {
    id: 'apps.headers.reset',
    check({ headers: { 'x-ratelimit-reset': reset }, at }) {
      if (reset === undefined) return 'X-RateLimit-Reset is missing'
      const { resetsAt = NaN } = readReset(reset, at) ?? {}
      const isSoon = resetsAt >= at - skew && resetsAt <= at + 86_400_000 + skew
      return isSoon || `X-RateLimit-Reset is ${reset}, which is not a time within the next day`
    },
  },
]

function jsonRule(area: AreaName): ReplyRule {
  return {
    id: `${area}.json`,
    concerns: (reply) => reply.text !== '' && reply.mediaType !== 'text/event-stream',
    check({ mediaType, headers, json, encodingMistake }) {
      if (mediaType !== 'application/json')
        return `the Content-Type is "${headers['content-type'] ?? ''}"`
      if (json === undefined) return 'the body is not JSON'
      return encodingMistake ?? true
    },
  }
}
