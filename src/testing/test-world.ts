import type { JournalEntry } from '../core/journal/journal-entry.ts'
import type { ClientBases } from '../core/http/client-url.ts'
import { withoutTrailingSlashes } from '../core/http/request.ts'
import { toVisible } from '../core/definitions/visible.ts'
import type { Journal } from '../greenhouse/journal.ts'
import type { World } from '../greenhouse/world.ts'

/** Selects the world of a test: by base URL or by key. Either is enough. */
export interface WorldApi {
  /** The base URL of Area A in this world: plants are at `<plantsUrl>/plants`. */
  readonly plantsUrl: string
  /** The base URL of Area B in this world: apps are at `<appsUrl>/apps`. */
  readonly appsUrl: string
  /** A key that selects this world, whatever the base URL: `key('key_pro')` is `'key_pro@<world>'`. */
  key(secret: string): string
}

/** The base URLs of a host, with the world as the prefix of their paths. */
export function toWorldApi(world: World, bases: ClientBases): WorldApi {
  const bind = (base: string) => {
    const { origin, pathname } = new URL(base)
    return `${origin}/~${world.name}${withoutTrailingSlashes(pathname)}`
  }
  return { plantsUrl: bind(bases.plants), appsUrl: bind(bases.apps), key: (secret) => world.key(secret) }
}

/** A name for the world of a test: its unique id, and as much of its title as fits. */
export function toTestWorldName(title: string, id: string): string {
  const tail = id
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^-/, '')
    .slice(-48)
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const head = words.slice(0, 63 - tail.length).replace(/-$/, '')
  return head === '' ? tail : `${head}-${tail}`
}

/** A journal as text, one line per entry: method, URL, status, operation, scenarios. */
export function summarizeJournal(name: string, journal: Journal): string {
  const entries = newest(journal)
  const count = `${entries.length} ${entries.length === 1 ? 'request' : 'requests'}`
  const gone = journal.evicted > 0 ? `; ${journal.evicted} older ones were dropped` : ''
  return [`Greenhouse world ${name}: ${count}${gone}`, ...entries.map((entry) => '  ' + toLine(entry))].join('\n')
}

/** The entries of a journal, or none when all of them were dropped. */
export function newest(journal: Journal): JournalEntry[] {
  try {
    return journal.calls()
  } catch {
    return []
  }
}

function toLine({ world, request, response, operation, scenarios }: JournalEntry): string {
  const url = request.url.replace(`/~${world}/`, '/')
  const fired = scenarios.length > 0 ? ` [${scenarios.join(', ')}]` : ''
  return `${request.method} ${toVisible(url)} ${response.status} ${operation ?? '(no operation)'}${fired}`
}
