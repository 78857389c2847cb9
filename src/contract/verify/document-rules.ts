import type { Assume } from '../../core/definitions/assumptions.ts'
import type { Operation } from '../../core/pipeline/operation.ts'
import { Router } from '../../core/pipeline/router.ts'
import { areas, assumptionRegistry } from '../../greenhouse/assembly/catalogue.ts'
import type { Session } from './session.ts'
import type { RuleResult } from './result.ts'
import { isSuccess, mediaType, type ServerReply } from './wire.ts'

/**
 * Compares one success of each operation of app management with our document. Returns a function that gives the
 * verdicts at the end, when the assumptions are known.
 */
export function documentRules(session: Session): () => RuleResult[] {
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
