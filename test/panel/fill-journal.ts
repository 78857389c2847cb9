import type { Greenhouse } from 'greenhouse-mock'
import type { CoreJournal } from '../../src/core/journal/journal.ts'

/** Writes that many requests into the journal, `/plants/1` and so on, as if they had been sent: sending them takes as long as all else. */
export async function fillJournal(greenhouse: Greenhouse, count: number): Promise<void> {
  const headers = { authorization: 'Bearer key_pro_plus' }
  await greenhouse.fetch(new Request('http://any/plants/1', { headers })).then((reply) => reply.text())
  const journal = greenhouse.world().journal as unknown as CoreJournal
  const [first] = journal.notes()
  for (let number = 2; number <= count; number++)
    journal.left(journal.write(toExchange(first!, number), first!.reply, first!.startedAt))
}

function toExchange(
  note: ReturnType<CoreJournal['notes']>[number],
  number: number,
): Parameters<CoreJournal['write']>[0] {
  const { operation, account, assumed, nearMisses, explanation } = note
  return {
    request: { method: note.method, path: `/plants/${number}`, search: '', headers: note.headers, body: null },
    world: { name: note.world },
    now: note.at,
    operation: operation === undefined ? undefined : { id: operation },
    account,
    overlay: { assumptions: note.inForce },
    assumed,
    nearMisses,
    explanation,
    verdicts: note.verdicts ?? new Map(),
    delay: 0,
  } as Parameters<CoreJournal['write']>[0]
}
