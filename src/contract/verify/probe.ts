import type { AssumptionId } from '../../api/names.ts'
import { toLengths } from '../../core/contract/assumptions.ts'
import { toJsonSchemaProblem } from '../../core/contract/json-schema.ts'
import type { Apps, Plants } from './resources.ts'
import type { KeyNeed, Need, Session } from './session.ts'
import { assertSeen, type ServerReply, valuesOfAssumption } from './wire.ts'
import type { Texts } from '../../core/text/values.ts'

/** The bodies that `POST /plants` refuses, by the rule that says so. */
export const rejectedBodies = {
  'plants.create.refuses.no-name': 'without a name',
  'plants.create.refuses.no-id': 'without an id',
  'plants.create.refuses.name-type': 'whose name is a number',
  'plants.create.refuses.name-null': 'whose name is null',
  'plants.create.refuses.tag-type': 'whose tag is a number',
  'plants.create.refuses.id-text': 'whose id is a string',
  'plants.create.refuses.id-fraction': 'whose id is a fraction',
  'plants.create.refuses.id-range': 'whose id has more than 64 bits',
  'plants.create.refuses.not-json': 'that is not JSON',
  'plants.create.refuses.no-object': 'that is a list',
  'plants.create.refuses.empty': 'that is empty',
} as const

const rejections = Object.fromEntries(
  Object.entries(rejectedBodies).map(([id, flaw]) => [
    id,
    `POST /plants with a body ${flaw} is answered with 400, and creates nothing.`,
  ]),
) as Record<keyof typeof rejectedBodies, string>

/** The statements of the reference in our words: a rule each. Ids begin with the area. */
export const statedRules = {
  'plants.list.auth.missing': 'GET /plants without a key is answered with 401.',
  'plants.list.auth.invalid': 'GET /plants with an unknown key is answered with 401.',
  'plants.list.auth.expired': 'GET /plants with an expired key is answered with 401.',
  'plants.list.auth.scheme': 'A key counts only after "Bearer" and a space.',
  'plants.create.auth':
    'POST /plants without a valid key is answered with 401, and creates nothing.',
  'plants.delete.auth':
    'DELETE /plants/{id} without a valid key is answered with 401, and deletes nothing.',
  'plants.list.reply':
    'GET /plants is answered with a JSON array of plants: each has a name and an optional tag, both strings.',
  'plants.list.limit':
    'The query parameter caps how many plants are returned: exactly that many, if there are that many.',
  'plants.list.own': "Another caller's plants are not listed.",
  'plants.create.status': 'POST /plants with name, tag and id is answered with 200.',
  'plants.create.reply':
    'The reply to a creation is the plant, with the name and the tag that were sent.',
  'plants.create.tag-optional':
    'The tag is optional: a plant without one is created, and its reply has no tag, or a string as its tag.',
  'plants.create.listed': 'A plant that was created is listed.',
  'plants.create.unicode':
    'A name that is accepted is returned and listed as it was sent, whatever its characters.',
  'plants.create.int64':
    'An id is a 64-bit integer: two ids that differ only in the last bit are two plants.',
  ...rejections,
  'plants.delete.gone':
    'DELETE /plants/{id} deletes the plant: it succeeds, and the plant is no longer listed.',
  'plants.delete.single':
    'DELETE /plants/{id} deletes the one plant that the id names, and no other.',
  'plants.delete.int64':
    'The id in the path is exact: of two plants whose ids differ in the last bit, the named one is deleted.',
  'plants.delete.no-body': 'The reply to a deletion has no body.',
  'plants.delete.own': "Another caller's plant can't be deleted.",
  'plants.errors.body':
    'An error of the plant store is an object with error, a 32-bit integer, and message, a string.',
  'plants.json': 'Bodies of replies are declared as application/json, and are JSON.',
  'apps.auth.missing': 'A request without a key is answered with 401.',
  'apps.auth.invalid': 'A request with an unknown key is answered with 401.',
  'apps.auth.expired': 'A request with an expired key is answered with 401.',
  'apps.auth.scheme': 'A key counts only after "Bearer" and a space.',
  'apps.auth.invalid-code': 'The error.code of an invalid key is invalid_api_key.',
  'apps.auth.expired-code': 'The error.code of an expired key is invalid_api_key.',
  'apps.version': 'The base URL of app management ends with /v1.',
  'apps.list': "GET /apps lists the caller's apps.",
  'apps.list.created': 'An app that was created is listed.',
  'apps.list.own': "Another caller's apps are not listed.",
  'apps.status.404': 'What does not exist is answered with 404.',
  'apps.status.404-foreign':
    "Another caller's app is answered as one that does not exist, or with 403.",
  'apps.status.400': 'Invalid parameters are answered with 400.',
  'apps.status.403': 'What the key does not permit is answered with 403.',
  'apps.limit.counts': 'Each request leaves one less in X-RateLimit-Remaining.',
  'apps.limit.status': 'A request above the limit is answered with 429.',
  'apps.limit.granted': 'No request within the limit is answered with 429.',
  'apps.errors.body':
    'An error of app management is an object with error, an object with the strings code and message.',
  'apps.errors.request-id':
    'An error of app management has error.request_id, a string that identifies the request.',
  'apps.errors.status':
    'The status of an error of app management is 400, 401, 403, 404, 429 or 500.',
  'apps.headers.limit':
    'Every reply carries X-RateLimit-Limit: the limit of a plan, per minute or per day.',
  'apps.headers.remaining':
    'Every reply carries X-RateLimit-Remaining: how many requests are left, no more than the limit.',
  'apps.headers.reset': 'Every reply carries X-RateLimit-Reset: a time within the next day.',
  'apps.json': 'Bodies of replies are declared as application/json, and are JSON.',
} as const

export type StatedRule = keyof typeof statedRules

export function isStated(id: string): id is StatedRule {
  return Object.hasOwn(statedRules, id)
}

/** The tools with which rows ask the server. */
export interface ProbeTools<Named extends Need = never> {
  readonly session: Session
  readonly plants: Plants
  readonly apps: Apps
  /** Returns the key for a need that the row names: of another it gets none. */
  key(need: Named & KeyNeed): string
}

/** A row of the table: what verify asks a server, and what the answers mean. */
export interface Probe {
  /** The id of a stated rule, or of the assumption whose gap it is. */
  readonly id: StatedRule | AssumptionId
  readonly needs: readonly Need[]
  /**
   * The name of the queue of this row: the rows of one lane run in turn, lanes side by side. Rows
   * that wait for the same thing, such as a clock, share a lane. Most rows have none: they only
   * wait for replies.
   */
  readonly lane?: string
  /**
   * Returns what a gap's server does. A rule is kept unless this throws.
   * @throws RuleBrokenError, InconclusiveError, NoReplyError, StoppedError
   */
  run(tools: ProbeTools<Need>): Promise<GapFinding | void>
}

/** The lane of rows that count requests: it runs when all others have ended. */
export const quotaLane = 'quota'

/** The lane of what the machine's clock decides, and not that of the server's world. */
export const realTimeLane = 'real time'

/** The finding of a row whose subject the server did not show. */
interface InconclusiveFinding {
  readonly outcome: 'unseen'
  readonly why: string
  /** The values of the assumption that are still possible, if others are not. */
  readonly among?: readonly string[]
  readonly noReply?: boolean
}

/** The finding about a stated rule. */
export type RuleFinding =
  | { readonly outcome: 'kept' }
  | {
      readonly outcome: 'broken'
      readonly why: string
      readonly reply?: ServerReply
    }
  | InconclusiveFinding

/** The finding about a gap: the value of its assumption that the server has. */
export type GapFinding =
  | {
      readonly outcome: 'value'
      readonly value: string
      readonly from: string
    }
  | {
      readonly outcome: 'unknown'
      readonly why: string
    }
  | InconclusiveFinding

export type RuleResult = RuleFinding & {
  readonly id: string
  readonly area: string
  readonly words: string
  /** Breaking a stated rule is a failure; breaking one of ours is only a difference. */
  readonly source: 'stated' | 'ours'
}

export type Ask<Named extends Need> = (tools: ProbeTools<Named>) => Promise<ServerReply>

/** Returns a row about a stated rule. */
export function rule<Named extends Need = never>(
  id: StatedRule,
  needs: readonly Named[],
  run: (tools: ProbeTools<Named>) => Promise<void>,
): Probe {
  return {
    id,
    needs,
    run,
  }
}

/**
 * Returns a rule about the status of one reply. @param situation what the request was about: ` to a
 * key that may only read`
 */
export function statusRule<Named extends Need = never>(
  id: StatedRule,
  needs: readonly Named[],
  ask: Ask<Named>,
  {
    statuses,
    situation = '',
  }: {
    statuses: number[]
    situation?: string
  },
): Probe {
  return rule(id, needs, async (tools) => {
    const reply = await ask(tools)
    reply.assert(statuses.includes(reply.status), situation)
  })
}

/** Returns a row about a gap of the reference, for which there is an assumption. */
export function gap<Named extends Need = never>(
  id: AssumptionId,
  needs: readonly Named[],
  run: (tools: ProbeTools<Named>) => Promise<GapFinding>,
): Probe {
  return {
    id,
    needs,
    run,
  }
}

/** Returns rows as rows of a lane. */
export function inLane(lane: string, rows: readonly Probe[]): readonly Probe[] {
  return rows.map((row) => ({ ...row, lane }))
}

/** @param from what the value was found from */
export function foundValue(value: string, from: string): GapFinding {
  return {
    outcome: 'value',
    value,
    from,
  }
}

/** Returns the finding that a server does what no value of the assumption says. */
export function unknownValue(why: string): GapFinding {
  return {
    outcome: 'unknown',
    why,
  }
}

export function valueOrUnknown(known: string | undefined, from: string): GapFinding {
  if (known === undefined) return unknownValue(from)
  return foundValue(known, from)
}

/** Values by the status of a reply; `2xx` stands for any other success. */
type StatusValues = Texts

/** The values by which a server ignores or rejects what it does not know. */
export const acceptance: StatusValues = {
  '2xx': 'ignore',
  400: 'reject',
}

/**
 * Returns the value that the status of a reply stands for. @param values by default the values of
 * the assumption that are statuses themselves
 */
export function valueOfStatus(
  id: AssumptionId,
  reply: ServerReply,
  from = String(reply),
  values: StatusValues = statusValuesOf(id),
): GapFinding {
  return valueOrUnknown(values[reply.status] ?? (reply.isSuccess ? values['2xx'] : undefined), from)
}

/**
 * Returns a gap that the status of one reply decides. @param situation what the request was about: `
 * to an unknown field`
 */
export function statusGap<Named extends Need = never>(
  id: AssumptionId,
  needs: readonly Named[],
  ask: Ask<Named>,
  {
    situation = '',
    values,
  }: {
    situation?: string
    values?: StatusValues
  } = {},
): Probe {
  return gap(id, needs, async (tools) => {
    const reply = await ask(tools)
    return valueOfStatus(id, reply, String(reply) + situation, values)
  })
}

function statusValuesOf(id: AssumptionId): StatusValues {
  return Object.fromEntries(
    valuesOfAssumption(id).flatMap((value) => {
      if (/^\d{3}$/.test(value)) return [[value, value]]
      return []
    }),
  )
}

/**
 * Returns a gap about the length of a text: it sends texts around each limit that the assumption
 * has. @param what what the texts are: `names`
 */
export function lengthGap(
  id: AssumptionId,
  what: string,
  send: (tools: ProbeTools, text: string) => Promise<ServerReply>,
): Probe {
  return gap(id, ['writes'], async (tools) => {
    const ranges = valuesOfAssumption(id).map((value) => ({
      value,
      schema: toLengths(value),
    }))
    // Lengths below 0 come from limits that a value does not have.
    const edges = ranges.flatMap(({ schema: { minLength = 0, maxLength = -2 } }) => [
      minLength - 1,
      maxLength,
      maxLength + 1,
    ])
    const lengths = [...new Set(edges)]
      .filter((length) => length >= 0)
      .sort((one, other) => one - other)
    const accepted: number[] = []
    for (const length of lengths) {
      const reply = await send(tools, 'n'.repeat(length))
      assertSeen(reply.isSuccess || reply.status === 400, String(reply))
      if (reply.isSuccess) accepted.push(length)
    }
    const fitting = ranges.find(({ schema }) =>
      lengths.every((length) => {
        const isAllowed = toJsonSchemaProblem('n'.repeat(length), schema) === undefined
        return isAllowed === accepted.includes(length)
      }),
    )
    const from = `of ${what} of ${lengths.join(', ')} characters it accepts ${accepted.join(', ') || 'none'}`
    return valueOrUnknown(fitting?.value, from)
  })
}
