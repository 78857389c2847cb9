import type { AssumptionId } from '../../greenhouse/names.ts'
import type { AreaName, Reply } from './wire.ts'
import type { Need } from './need.ts'
import type { Session } from './session.ts'
import type { Finding } from './verdict.ts'

/** A rule of the reference, or of our document, and its probe. */
export interface Rule {
  readonly id: string
  readonly area: AreaName
  /** The rule in our words. */
  readonly words: string
  /** The source: breaking a stated rule is a failure, breaking one of ours only a difference. Stated by default. */
  readonly source?: 'stated' | 'ours'
  readonly needs?: readonly Need[]
  /** Passes if the server keeps the rule. @throws Broken, Unseen */
  probe(session: Session): Promise<void>
}

/** A rule of every reply of an area. */
export interface ReplyRule extends Pick<Rule, 'id' | 'area' | 'words' | 'source'> {
  /** Whether it applies to a reply. */
  concerns(reply: Reply): boolean
  /** Returns what is wrong with a reply. */
  check(reply: Reply): string | undefined
}

/** An open question of the reference, and a probe for the server's answer. */
export interface Gap {
  readonly id: AssumptionId
  readonly area: AreaName
  readonly needs?: readonly Need[]
  /** @throws Unseen */
  look(session: Session): Promise<Finding>
}

/** Returns an observed value of an assumption, and how it was observed. */
export function value(value: string, from: string): Finding {
  return { outcome: 'value', value, from }
}

/** Returns behaviour that no value describes. */
export function unknown(why: string, reply?: Reply): Finding {
  return { outcome: 'unknown', why, reply }
}

/** Returns the value that a status shows. */
export function byStatus(reply: Reply, values: Readonly<Record<number, string>>, from: string): Finding {
  const known = values[reply.status]
  return known === undefined ? unknown(from, reply) : value(known, from)
}
