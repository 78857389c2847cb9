import { nonNegative, pair, readValue, textValue, words } from '../../../api/config/flag-value.ts'
import type { RequestEvent } from '../../../control/events/types.ts'
import type { RequestFields } from '../../../control/request-fields.ts'
import type { JournalEntry } from '../../../core/journal/journal-entry.ts'
import { toVisibleJson } from '../../../core/text/messages.ts'
import { toTimestamp } from '../../../core/time/time-text.ts'
import { CallRejectedError, type ControlClient, connect } from '../../control-client.ts'
import type { ArgumentsOf, Flags } from '../../flags/flags.ts'
import { serverFlags } from '../../flags/server.ts'
import { lineFormatOf, toEntryLine } from '../../output/log-line.ts'
import { printError, type Terminal } from '../../terminal.ts'

export const logFlags = {
  follow: { isOn: false, describe: 'Keep printing new requests, until Ctrl-C' },
  wait: { isOn: false, describe: 'With --follow: wait for the server while it is unreachable' },
  operation: { value: textValue('the id of an operation', 'plants.list'), describe: 'Only requests of this operation' },
  status: {
    value: readValue('a status or a class of statuses', '4xx', (given) =>
      /^([1-5]\d\d|[1-5]xx|0)$/i.test(given) ? given.toLowerCase() : undefined,
    ),
    describe: 'Only replies with this status: 404, 4xx, or 0 for no reply',
  },
  errors: { isOn: false, describe: 'Only replies with a status from 400, and requests without a reply' },
  violations: { isOn: false, describe: 'Only requests that break the contract' },
  scenario: {
    value: textValue('the name of a scenario', 'slow'),
    describe: 'Only replies that this scenario changed; * for any scenario',
  },
  method: { value: textValue('an HTTP method', 'POST'), describe: 'Only requests with this method' },
  path: {
    value: textValue('a path from the root of the service', '/v1/apps/*'),
    describe: 'Only requests with this path, or a pattern such as /v1/apps/*',
  },
  header: {
    each: pair('NAME=VALUE', 'idempotency-key=*'),
    describe: 'Only requests with this header: NAME=VALUE; * is any value, null none',
  },
  query: { each: pair('NAME=VALUE', 'limit=3'), describe: 'Only requests with this query parameter: NAME=VALUE' },
  body: {
    each: pair('FIELD=VALUE', 'name=Fern'),
    describe: 'Only requests whose JSON has this field: FIELD=VALUE, such as site.name=Shop',
  },
  key: {
    value: { ...textValue('a key or its fingerprint', 'key_pro'), isSecret: true },
    describe: 'Only requests with this key, or the key of this fingerprint',
  },
  account: {
    value: textValue('the id of an account', 'acct_pro'),
    describe: 'Only requests with a key of this account',
  },
  search: {
    value: words,
    describe: 'Only requests with all these words in method, URL, status, operation, scenarios or reason',
  },
  limit: {
    value: nonNegative,
    describe: 'How many earlier requests to print: the newest ones',
    default: 100,
  },
  ...serverFlags,
  'all-worlds': { isOn: false, describe: 'Requests of all worlds' },
  json: { isOn: false, describe: 'Print each journal entry as a line of JSON' },
} satisfies Flags

export type LogArguments = ArgumentsOf<typeof logFlags>

export async function showLog(args: LogArguments, terminal: Terminal): Promise<void> {
  const dropped: string[] = []
  const entries = await readEntries(connect(args, terminal), args, (world, count) =>
    dropped.push(
      `The journal of the world "${world}" dropped ${count} older ${count === 1 ? 'request' : 'requests'} to make room, so fewer than --limit ${args.limit} are shown.\n`,
    ),
  )
  terminal.stdout.write(entries.map(createEntryWriter(args, terminal)).join(''))
  printError(terminal, dropped.join('') || (entries.length === 0 ? 'No requests match.\n' : ''))
}

export function createEntryWriter(
  { json }: Pick<LogArguments, 'json'>,
  { stdout, env }: Pick<Terminal, 'stdout' | 'env'>,
): (entry: RequestEvent) => string {
  if (json) return (entry) => toVisibleJson(JSON.stringify(entry)) + '\n'
  const format = lineFormatOf(stdout, env)
  return (entry) => toEntryLine(entry, toTimestamp(entry.at), format)
}

type EntryQuery = Omit<LogArguments, 'limit'> & { readonly limit: number | undefined }

export async function readEntries(
  client: ControlClient,
  args: EntryQuery,
  onDropped: (world: string, count: number) => void = () => undefined,
): Promise<JournalEntry[]> {
  const { operation, status, scenario, search, limit } = args
  const query = { operation, status, scenario, search, ...toRequestFields(args), limit }
  const flags = { errors: args.errors || undefined, violations: args.violations || undefined }
  const read = async (world: string): Promise<readonly JournalEntry[]> => {
    const path = { world }
    const answer = await client.call('GET /worlds/{world}/journal', { path, query: { ...query, ...flags } })
    if (answer.evicted > 0 && answer.data.length < (limit ?? 0)) onDropped(world, answer.evicted)
    return answer.data
  }
  const entries = args.allWorlds ? await readAll(client, read, limit) : await read(client.world)
  return entries.filter((entry) => !entry.pending)
}

async function readAll(
  client: ControlClient,
  read: (world: string) => Promise<readonly JournalEntry[]>,
  limit = Infinity,
): Promise<JournalEntry[]> {
  const { data: worlds } = await client.call('GET /worlds')
  const all: JournalEntry[] = []
  for (const { name, journal } of worlds)
    // Queries at least one world, so that the server reports an unknown operation or scenario.
    if (journal.size > 0 || name === 'default') all.push(...(await read(name).catch(orNone)))
  const inTime = all.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
  return inTime.slice(Math.max(0, inTime.length - limit))
}

export function toRequestFields({ method, path, key, account, header, query, body }: EntryQuery): RequestFields {
  const plain = Object.entries({ method, path, key, account }).filter(([, value]) => value !== undefined)
  const below = Object.entries({ header, query, body }).flatMap(([prefix, fields]) =>
    fields.map(([name, value]) => [`${prefix}.${name}`, value]),
  )
  return Object.fromEntries([...plain, ...below]) as RequestFields
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
