import type { JournalEntry } from '../core/journal/journal-entry.ts'
import { toEntryLine } from './test-world.ts'

/** How many requests a message tells of. */
const mostTold = 20

/** What a test fails with when requests did not reach the world of a running test. */
export function toStrayMessage(entries: readonly JournalEntry[]): string {
  const lines = entries
    .slice(0, mostTold)
    .map(
      (entry) =>
        `  ${toEntryLine(entry)}  (world ${entry.world}${entry.world === 'default' ? '' : ', of a test that had ended'})`,
    )
  return [
    `${entries.length === 1 ? 'A request' : `${entries.length} requests`} did not reach the world of this test:`,
    ...lines,
    ...(entries.length > lines.length ? [`  … and ${entries.length - lines.length} more`] : []),
    "Give the client api.plantsUrl and api.appsUrl, or a key such as api.key('key_pro'), and wait for all its requests before the test ends.",
  ].join('\n')
}
