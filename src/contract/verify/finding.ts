import type { AssumptionId } from '../../api/types/names.ts'
import type { AreaName } from '../../areas/event-types.ts'
import type { Need, Session } from './session.ts'
import { assertSeen, describeReply, isSuccess, type ServerReply } from './wire.ts'

export interface InconclusiveResult {
  readonly outcome: 'unseen'
  readonly why: string
  readonly among?: readonly string[] | undefined
  readonly noReply?: boolean | undefined
}

export type RuleVerdict =
  | { readonly outcome: 'kept' }
  | { readonly outcome: 'broken'; readonly why: string; readonly reply?: ServerReply | undefined }
  | InconclusiveResult

export type ProbeFinding =
  | { readonly outcome: 'value'; readonly value: string; readonly from: string }
  | { readonly outcome: 'unknown'; readonly why: string; readonly reply?: ServerReply | undefined }
  | InconclusiveResult

export interface VerifyRule {
  /** Begins with the area: `plants.list.reply`. */
  readonly id: string
  readonly words: string
  readonly needs?: readonly Need[]
  probe(session: Session): Promise<void>
}

export interface ReplyRule extends Pick<VerifyRule, 'id' | 'words'> {
  concerns(reply: ServerReply): boolean
  check(reply: ServerReply, session: Pick<Session, 'plans'>): string | undefined
}

/** An open question of the reference, and a probe for the server's answer. */
export interface AssumptionProbe {
  readonly id: AssumptionId
  readonly needs: readonly Need[]
  poll(session: Session): Promise<ProbeFinding>
}

/** Returns the area whose server a rule or an assumption is about. Ids of both areas, such as `auth.scheme-case`, are probed in app management. */
export function areaOf({ id }: Pick<VerifyRule, 'id'>): AreaName {
  return id.startsWith('plants.') ? 'plants' : 'apps'
}

export function value(value: string, from: string): ProbeFinding {
  return { outcome: 'value', value, from }
}

export function unknown(why: string, reply?: ServerReply): ProbeFinding {
  return { outcome: 'unknown', why, reply }
}

/** @param known the value that was recognized, if any */
export function byValue(known: string | undefined, from: string, reply?: ServerReply): ProbeFinding {
  return known === undefined ? unknown(from, reply) : value(known, from)
}

/** Whether a request was accepted, and not answered with 400. @throws Inconclusive for any other reply */
export function isTaken(reply: ServerReply): boolean {
  assertSeen(isSuccess(reply) || reply.status === 400, describeReply(reply))
  return isSuccess(reply)
}

/** Values by the status of a reply; `2xx` stands for any other success. */
type StatusValues = Readonly<Record<string, string>>

export function byStatus(reply: ServerReply, values: StatusValues, from = describeReply(reply)): ProbeFinding {
  return byValue(values[reply.status] ?? (isSuccess(reply) ? values['2xx'] : undefined), from, reply)
}

export function probe(
  id: AssumptionId,
  needs: readonly Need[],
  poll: (session: Session) => Promise<ProbeFinding>,
): AssumptionProbe {
  return { id, needs, poll }
}

/** Returns a probe to which one status answers. @param situation what the request was about: ` to an unknown field` */
export function statusProbe(
  id: AssumptionId,
  needs: readonly Need[],
  values: StatusValues,
  ask: (session: Session) => Promise<ServerReply>,
  situation = '',
): AssumptionProbe {
  return probe(id, needs, async (session) => {
    const reply = await ask(session)
    return byStatus(reply, values, describeReply(reply) + situation)
  })
}
