import { toEntry } from '../../core/journal/journal-entry.ts'
import { done, ok } from '../answer.ts'
import { showCase } from '../case.ts'
import { showEvidence } from '../evidence.ts'
import { findEntry, showHar, showJournal } from '../journal.ts'
import { toJournalFeed } from '../journal-feed.ts'
import { replay } from '../replay.ts'
import { defineRoutes } from '../route.ts'

export const journalRoutes = defineRoutes({
  'GET /worlds/{world}/journal': { reads: 'query', handle: async (call) => ({ parts: await showJournal(call) }) },
  'DELETE /worlds/{world}/journal': (call) => call.change((world) => done(world.journal.clear())),
  'GET /worlds/{world}/journal/{id}': (call) => ok(toEntry(findEntry(call))),
  'POST /worlds/{world}/journal/{id}/replay': async (call) => ({ status: 201, value: await replay(call) }),
  'GET /worlds/{world}/journal.har': (call) => ({ parts: showHar(call) }),
  'GET /worlds/{world}/evidence': showEvidence,
  'GET /worlds/{world}/case': { reads: 'query', handle: showCase },
  'PUT /worlds/{world}/case': {
    reads: 'body',
    handle: async (call) => (await import('../put-case.ts')).putCase(call),
  },
  'GET /worlds/{world}/journal/stream': ({ world }) => ({ stream: toJournalFeed(world.journal) }),
})
