import type { AssumptionId } from '../../greenhouse/names.ts'
import type { AreaName, Reply } from './wire.ts'
import type { Need } from './need.ts'
import type { Session } from './session.ts'
import type { Finding } from './verdict.ts'

/** A rule of the reference, or of our document, and what shows whether a server keeps it. */
export interface Rule {
  readonly id: string
  readonly area: AreaName
  /** The rule in our words. */
  readonly words: string
  /** Who says so: a server that breaks a stated rule fails; from one of ours it only differs. Stated, without it. */
  readonly source?: 'stated' | 'ours'
  readonly needs?: readonly Need[]
  /** Ends without an error where the rule is kept. @throws Broken, Unseen */
  probe(session: Session): Promise<void>
}

/** A rule of every reply of an area. */
export interface ReplyRule extends Pick<Rule, 'id' | 'area' | 'words' | 'source'> {
  /** Whether it says something of a reply. */
  concerns(reply: Reply): boolean
  /** What is wrong with one. */
  check(reply: Reply): string | undefined
}

/** What the reference leaves open, and what shows how a server does it. */
export interface Gap {
  readonly id: AssumptionId
  readonly area: AreaName
  readonly needs?: readonly Need[]
  /** @throws Unseen */
  look(session: Session): Promise<Finding>
}

/** The value of an assumption, and what showed it. */
export function value(value: string, from: string): Finding {
  return { outcome: 'value', value, from }
}

/** Behaviour that no value of the assumption describes. */
export function unknown(why: string, reply?: Reply): Finding {
  return { outcome: 'unknown', why, reply }
}

/** The value that the status of a reply stands for. */
export function byStatus(reply: Reply, values: Readonly<Record<number, string>>, from: string): Finding {
  const known = values[reply.status]
  return known === undefined ? unknown(from, reply) : value(known, from)
}
