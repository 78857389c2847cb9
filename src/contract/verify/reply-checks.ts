import { areaOf, type ReplyRule } from './definitions.ts'
import type { Session } from './session.ts'
import { describeReply, type RuleVerdict } from './verdict.ts'

export function replyChecks(session: Session, rules: readonly ReplyRule[]): (rule: ReplyRule) => RuleVerdict {
  const verdicts = new Map<ReplyRule, RuleVerdict>()
  session.client.listen((reply) => {
    for (const rule of rules) {
      if (areaOf(rule) !== reply.area || verdicts.get(rule)?.outcome === 'broken' || !rule.concerns(reply)) continue
      const wrong = rule.check(reply, session)
      verdicts.set(
        rule,
        wrong === undefined
          ? { outcome: 'kept' }
          : { outcome: 'broken', why: `${describeReply(reply)}: ${wrong}`, reply },
      )
    }
  })
  return (rule) => verdicts.get(rule) ?? { outcome: 'unseen', why: 'no reply of this kind came' }
}
