import type { JournalEntry } from '../../../core/journal/journal-entry.ts'
import type { RequestFields } from '../../../control/request-fields.ts'
import type { RequestEvent } from '../../../control/events/types.ts'
import type { LogArguments } from '../../flags/log.ts'
import { CallRejectedError, type ControlClient } from '../../control-client.ts'

type EntryQuery = Omit<LogArguments, 'limit'> & { readonly limit: number | undefined }

type OnDropped = (world: string, count: number) => void

export async function readEntries(
  client: ControlClient,
  args: EntryQuery,
  onDropped: OnDropped = () => undefined,
): Promise<JournalEntry[]> {
  const read = (world: string) => readWorld(client, world, args, onDropped)
  const entries = args.allWorlds ? await readAll(client, args, read) : await read(client.world)
  return entries.filter((entry) => !entry.pending)
}

async function readAll(
  client: ControlClient,
  args: EntryQuery,
  read: (world: string) => Promise<readonly JournalEntry[]>,
): Promise<JournalEntry[]> {
  const { data: worlds } = await client.call('GET /worlds')
  const all: JournalEntry[] = []
  for (const { name, journal } of worlds)
    // Queries at least one world, so that the server reports an unknown operation or scenario.
    if (journal.size > 0 || name === 'default') all.push(...(await read(name).catch(orNone)))
  const inTime = all.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
  return inTime.slice(Math.max(0, inTime.length - (args.limit ?? Infinity)))
}

async function readWorld(
  client: ControlClient,
  world: string,
  args: EntryQuery,
  onDropped: OnDropped,
): Promise<readonly JournalEntry[]> {
  const { operation, status, errors, violations, scenario, search, limit } = args
  const answer = await client.call('GET /worlds/{world}/journal', {
    path: { world },
    query: {
      operation,
      status,
      errors: errors || undefined,
      violations: violations || undefined,
      scenario,
      search,
      ...toRequestFields(args),
      limit,
    },
  })
  if (answer.evicted > 0 && answer.data.length < (limit ?? 0)) onDropped(world, answer.evicted)
  return answer.data
}

export function toRequestFields({ method, path, key, account, header, query, body }: EntryQuery): RequestFields {
  const below = (prefix: string, fields: readonly (readonly [name: string, value: string])[]) =>
    fields.map(([name, value]) => [`${prefix}.${name}`, value] as const)
  const plain = Object.entries({ method, path, key, account }).filter(([, value]) => value !== undefined)
  return Object.fromEntries([
    ...(plain as [name: string, value: string][]),
    ...below('header', header),
    ...below('query', query),
    ...below('body', body),
  ])
}

export async function readEntry(client: ControlClient, event: RequestEvent): Promise<RequestEvent> {
  const path = { world: event.world, id: String(event.id) }
  return client.call('GET /worlds/{world}/journal/{id}', { path }).catch((error: unknown) => {
    if (error instanceof CallRejectedError) return event
    throw error
  })
}

export function orNone(error: unknown): [] {
  if (error instanceof CallRejectedError && ['unknown_world', 'world_dropped', 'journal_evicted'].includes(error.code))
    return []
  throw error
}
