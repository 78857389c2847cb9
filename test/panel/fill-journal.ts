import type { Greenhouse } from 'greenhouse-mock'
import type { CoreJournal } from '../../src/core/journal/journal.ts'

/** Writes that many requests into the journal, `/plants/1` and so on, as if they had been sent: sending them takes as long as all else. */
export async function fillJournal(greenhouse: Greenhouse, count: number): Promise<void> {
  const headers = { authorization: 'Bearer key_pro_plus' }
  await greenhouse.fetch(new Request('http://any/plants/1', { headers })).then((reply) => reply.text())
  const journal = greenhouse.world().journal as unknown as CoreJournal
  const [first] = journal.records()
  for (let number = 2; number <= count; number++)
    journal.markSent(journal.write(toExchange(first!, number), first!.reply, first!.startedAt))
}

function toExchange(
  record: ReturnType<CoreJournal['records']>[number],
  number: number,
): Parameters<CoreJournal['write']>[0] {
  const { operation, account, assumed, nearMisses, explanation } = record
  return {
    request: { method: record.method, path: `/plants/${number}`, search: '', headers: record.headers, body: null },
    world: { name: record.world },
    now: record.at,
    operation: operation === undefined ? undefined : { id: operation },
    account,
    effectiveSettings: { assumptions: record.inForce },
    assumed,
    nearMisses,
    explanation,
    verdicts: record.verdicts ?? new Map(),
    delay: 0,
  } as Parameters<CoreJournal['write']>[0]
}
