import { done } from '../answer.ts'
import { showHar, showJournal } from '../journal.ts'
import { toJournalFeed } from '../journal-feed.ts'
import { defineRoutes } from '../route.ts'

/** What a world was asked, and what it answered. */
export const journalRoutes = defineRoutes({
  'GET /worlds/{world}/journal': { reads: 'query', handle: (call) => ({ parts: showJournal(call) }) },
  'DELETE /worlds/{world}/journal': (call) => call.change((world) => done(world.journal.clear())),
  'GET /worlds/{world}/journal.har': (call) => ({ parts: showHar(call) }),
  'GET /worlds/{world}/journal/stream': ({ world }) => ({ stream: toJournalFeed(world.journal) }),
})
