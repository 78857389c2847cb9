import type { AssumptionId } from '../../api/types/names.ts'
import type { Apps, Plants } from './resources.ts'
import type { Need, Session } from './session.ts'
import type { StatedRule } from './table/stated.ts'
import { assertSeen, type ServerReply } from './wire.ts'

export interface ProbeTools {
  readonly session: Session
  readonly plants: Plants
  readonly apps: Apps
}

/** A row of the table: what verify asks a server, and what the answers mean. */
export interface Probe {
  /** That of a stated rule, or of the assumption whose gap it is. */
  readonly id: StatedRule | AssumptionId
  readonly needs: readonly Need[]
  /** What it waits with. Rows of one lane run in turn, lanes side by side. Most rows have none: they only wait for replies. */
  readonly lane?: string
  /** Returns what a gap's server does. A rule is kept unless this throws. @throws Broken, Inconclusive, NoReply, Stopped */
  run(tools: ProbeTools): Promise<GapFinding | void>
}

/** The lane of rows that count requests: it runs when all others have ended. */
export const quotaLane = 'quota'

/** The lane of what the machine's clock decides, and not that of the server's world. */
export const realTimeLane = 'real time'

interface InconclusiveFinding {
  readonly outcome: 'unseen'
  readonly why: string
  readonly among?: readonly string[] | undefined
  readonly noReply?: boolean | undefined
}

export type RuleFinding =
  | { readonly outcome: 'kept' }
  | { readonly outcome: 'broken'; readonly why: string; readonly reply?: ServerReply | undefined }
  | InconclusiveFinding

export type GapFinding =
  | { readonly outcome: 'value'; readonly value: string; readonly from: string }
  | { readonly outcome: 'unknown'; readonly why: string; readonly reply?: ServerReply | undefined }
  | InconclusiveFinding

export type RuleResult = RuleFinding & {
  readonly id: string
  readonly area: string
  readonly words: string
  /** Breaking a stated rule is a failure; breaking one of ours is only a difference. */
  readonly source: 'stated' | 'ours'
}

export function rule(id: StatedRule, needs: readonly Need[], run: (tools: ProbeTools) => Promise<void>): Probe {
  return { id, needs, run }
}

/** Returns a rule about the status of one reply. @param situation what the request was about: ` to a key that may only read` */
export function statusRule(
  id: StatedRule,
  needs: readonly Need[],
  statuses: number | readonly number[],
  ask: (tools: ProbeTools) => Promise<ServerReply>,
  situation = '',
): Probe {
  return rule(id, needs, async (tools) => {
    const reply = await ask(tools)
    reply.assert([statuses].flat().includes(reply.status), situation)
  })
}

export function gap(id: AssumptionId, needs: readonly Need[], run: (tools: ProbeTools) => Promise<GapFinding>): Probe {
  return { id, needs, run }
}

export function inLane(lane: string, rows: readonly Probe[]): readonly Probe[] {
  return rows.map((row) => ({ ...row, lane }))
}

export function value(value: string, from: string): GapFinding {
  return { outcome: 'value', value, from }
}

export function unknown(why: string, reply?: ServerReply): GapFinding {
  return { outcome: 'unknown', why, reply }
}

/** @param known the value that was recognized, if any */
export function byValue(known: string | undefined, from: string, reply?: ServerReply): GapFinding {
  return known === undefined ? unknown(from, reply) : value(known, from)
}

/** Whether a request was accepted, and not answered with 400. @throws Inconclusive for any other reply */
export function isTaken(reply: ServerReply): boolean {
  assertSeen(reply.isSuccess || reply.status === 400, String(reply))
  return reply.isSuccess
}

/** Values by the status of a reply; `2xx` stands for any other success. */
type StatusValues = Readonly<Record<string, string>>

export function byStatus(reply: ServerReply, values: StatusValues, from = String(reply)): GapFinding {
  return byValue(values[reply.status] ?? (reply.isSuccess ? values['2xx'] : undefined), from, reply)
}

/** Returns a gap to which one status answers. @param situation what the request was about: ` to an unknown field` */
export function statusGap(
  id: AssumptionId,
  needs: readonly Need[],
  values: StatusValues,
  ask: (tools: ProbeTools) => Promise<ServerReply>,
  situation = '',
): Probe {
  return gap(id, needs, async (tools) => {
    const reply = await ask(tools)
    return byStatus(reply, values, String(reply) + situation)
  })
}
