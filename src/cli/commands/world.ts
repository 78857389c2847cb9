import { countOf } from '../../core/text/messages.ts'
import type { AccountSummary } from '../../control/actions/accounts.ts'
import type { QuotaSummary } from '../../api/inspect/accounts.ts'
import { type callFlags, defineServerCommand, type RemoteServer } from '../running-server.ts'
import { fitColumns, toTable } from '../../core/text/table.ts'
import { type ClockSummary, toActiveNames } from '../../control/shapes.ts'
import { nonNegative, pair, textValue, words } from '../../api/config/flag-value.ts'
import { parseJson, toJson } from '../../core/http/json.ts'
import type { TriggeredDelivery } from '../../control/actions/webhooks.ts'
import { isObject } from '../../core/contract/options.ts'
import { UsageError, type OutputStream, type Terminal } from '../terminal.ts'
import { type CommandArguments, defineCommand } from '../command.ts'
import { logFlags } from '../flags/log.ts'
import type { DueSummary } from '../../control/actions/clock.ts'

/** The most worlds, problems and accounts to show. */
const maxShown = 20

export const statusCommand = defineServerCommand({
  command: 'status',
  config: 'optional',
  describe: 'Show a running server: worlds, clock, scenarios, journal, quotas',
  async run(server) {
    const answer = await readStatus(server)
    return { answer, toText: () => toStatusText(answer) }
  },
})

async function readStatus(server: RemoteServer) {
  const [{ version, panel_url }, { data: problems }, { data: worlds }, world, scenarios, { data: accounts }, journal] =
    await Promise.all([
      server.call('GET /start'),
      server.call('GET /problems'),
      server.call('GET /worlds'),
      server.call('GET /worlds/{world}'),
      server.call('GET /worlds/{world}/scenarios'),
      server.call('GET /worlds/{world}/accounts'),
      server.call('GET /worlds/{world}/journal', { query: { before: 1 } }),
    ])
  const { unrecorded } = journal
  const { active } = scenarios
  return { server: server.server, version, panel_url, problems, worlds, unrecorded, world, active, accounts }
}

function toStatusText(status: Awaited<ReturnType<typeof readStatus>>): string {
  const { server, version, panel_url, problems, worlds, unrecorded, world, active, accounts } = status
  const { name, clock, journal, snapshots } = world
  const kinds = Object.entries(unrecorded)
  const dropped = journal.evicted > 0 ? `; ${journal.evicted} older ones were dropped` : ''
  const top = toTable([
    ['Server', `${server}, version ${version}`],
    ['Panel', panel_url],
    ['Worlds', `${worlds.length}: ${toNames(worlds.map((one) => one.name).sort())}`],
    ...problems
      .slice(0, maxShown)
      .map(({ file, line, message }) => ['Problem', `${file}${line === null ? '' : `:${line}`}: ${message}`]),
    ...(kinds.length > 0 ? [['No world', kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')]] : []),
  ])
  const below = toTable([
    ['World', name],
    ['Clock', `${clock.now}${clock.frozen ? ', frozen' : ''}`],
    ['Scenarios', toActiveNames(active).join(' ') || 'none active'],
    ['Journal', countOf(journal.size, 'request') + dropped],
    ['Snapshots', toNames(snapshots) || 'none'],
  ])
  return `${top}\n${below}${accounts.length > 0 ? `\n${toQuotaTable(accounts)}` : ''}`
}

function toQuotaTable(accounts: readonly AccountSummary[]): string {
  const rows = accounts.slice(0, maxShown).flatMap(toQuotaRows)
  const more = accounts.length > maxShown ? `and ${accounts.length - maxShown} more; --json has them all\n` : ''
  return toTable([['ACCOUNT', 'PLAN', 'MINUTE', 'DAY'], ...rows]) + more
}

function toQuotaRows({ id, plan, quota, keys }: AccountSummary): string[][] {
  if (quota) return [[id, plan, ...toUses(quota)]]
  return keys.flatMap((key) => (key.quota ? [[`${id} ${key.name ?? key.id}`, plan, ...toUses(key.quota)]] : []))
}

function toUses({ minute, day, scenario }: QuotaSummary): string[] {
  const by = scenario === null ? '' : ` (${scenario})`
  return [minute, day].map(({ used, limit }) => `${used} of ${limit}${by}`)
}

function toNames(names: readonly string[]): string {
  const more = names.length - maxShown
  return names.slice(0, maxShown).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

export const resetCommand = defineServerCommand({
  command: 'reset',
  describe: 'Reset a world to its start: data, clock, quotas, scenarios, journal',
  async run(server) {
    // A reset creates an unknown world, so a misspelt name must fail here.
    await server.call('GET /worlds/{world}')
    const answer = await server.call('POST /worlds/{world}/reset')
    return { answer, toText: () => `The world "${server.world}" was reset.\n` }
  },
})

export const triggerCommand = defineServerCommand({
  command: 'trigger <event>',
  describe: 'Send a webhook event from a running server',
  positionals: { event: 'Type of the event, such as message.sent' },
  flags: {
    data: {
      value: textValue('a JSON object', '\'{"id": 1}\''),
      describe: "Data of the event, a JSON object; by default from the world's records",
    },
    account: { value: textValue('an id', 'acct_pro'), describe: 'Account of the event' },
    app: { value: textValue('an id', 'acct_pro'), describe: 'App of the event' },
  },
  async run(server, { event, data, account, app }) {
    // JSON leaves out what is undefined.
    const body = { type: event, data: data === undefined ? undefined : readData(data), account, app_id: app }
    const answer = await server.call('POST /worlds/{world}/events', { body })
    const lines = answer.data.map(
      (delivery) => `${event} ${delivery.id} → ${delivery.url}: ${describeDelivery(delivery)}\n`,
    )
    const none = `${event}: no enabled webhook subscribes to it in the world "${server.world}". Create one with POST /v1/webhooks.\n`
    return { answer, toText: () => lines.join('') || none }
  },
})

function readData(text: string): object {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw new UsageError(`--data: ${(error as Error).message}`)
  }
  if (isObject(value)) return value
  throw new UsageError('--data: expected a JSON object, such as {"id": 1}.')
}

function describeDelivery({ status, attempts, next_attempt_at }: TriggeredDelivery): string {
  const last = attempts.at(-1)
  const outcome = last && `, ${last.status === null ? last.error : `${last.status} in ${last.latency_ms} ms`}`
  return `${status}${outcome ?? ''}${next_attempt_at === null ? '' : `, next attempt at ${next_attempt_at}`}`
}

export const logCommand = defineCommand({
  command: 'log',
  describe: 'Print the requests that a running server answered',
  flags: logFlags,
  examples: [
    ['log --follow --errors', 'Watch what goes wrong'],
    ['log --status 429 --json', 'Whole entries, for jq'],
  ],
  epilogue: 'Times are those of the world. --follow ends with 0 on Ctrl-C, and with 1 when the server goes away.',
  async run(args, terminal) {
    if (args.allWorlds && terminal.given?.includes('world'))
      throw new UsageError('--world and --all-worlds exclude each other: use one of them.')
    if (args.wait && !args.follow)
      throw new UsageError('--wait works only with --follow: add --follow, or leave out --wait.')
    const { followLog, showLog } = await import('./print-log.ts')
    await (args.follow ? followLog : showLog)(args, terminal)
  },
})

export const clockCommand = defineCommand({
  command: 'clock',
  describe: 'Show, move, stop or start the clock of a running server',
  subcommands: [
    defineServerCommand({
      command: 'now',
      describe: 'Show the time, and whether the clock is stopped',
      isDefault: true,
      run: async (server) => showClock(await server.call('GET /worlds/{world}/clock')),
    }),
    defineClockChange('advance <duration>', 'Advance the clock by a duration: 90s, 2h, 1d', ({ duration }) => ({
      advance: duration,
    })),
    defineClockChange('set <time>', 'Set the clock to a time in ISO 8601', ({ time }) => ({ now: time })),
    defineClockChange('freeze', 'Stop the clock', () => ({ frozen: true })),
    defineClockChange('unfreeze', 'Start a stopped clock', () => ({ frozen: false })),
    defineServerCommand({
      command: 'due',
      describe: 'List what happens next, soonest first',
      flags: { limit: { value: nonNegative, describe: 'How many to list: 100 by default, at most 1000' } },
      async run(server, { limit }, terminal) {
        const answer = await server.call('GET /worlds/{world}/due', { query: { limit } })
        return { answer, toText: () => toDueText(answer.data, terminal) }
      },
    }),
    defineServerCommand({
      command: 'next',
      describe: 'Move the clock to what happens next',
      async run(server, _, terminal) {
        const answer = await server.call('POST /worlds/{world}/due/next')
        return { answer, toText: () => toClockText(answer.clock) + toDueText(answer.done, terminal) }
      },
    }),
  ],
  examples: [
    ['clock advance 2h', 'Run what is due in the next two hours: retries, renewals, windows'],
    ['clock set 2026-01-31T12:00:00Z', 'Go to a time; a frozen clock stays frozen'],
  ],
})

function defineClockChange<Form extends string>(
  command: Form,
  describe: string,
  toBody: (args: CommandArguments<Form, typeof callFlags>) => object,
) {
  return defineServerCommand({
    command,
    describe,
    run: async (server, args) => showClock(await server.call('PATCH /worlds/{world}/clock', { body: toBody(args) })),
  })
}

function showClock(answer: ClockSummary) {
  return { answer, toText: () => toClockText(answer) }
}

function toClockText({ now, frozen }: ClockSummary): string {
  return `${now}${frozen ? ', frozen' : ''}\n`
}

function toDueText(due: readonly DueSummary[], { stdout }: Terminal): string {
  if (due.length === 0) return 'Nothing is scheduled.\n'
  const rows = due.map(({ at, kind, title }) => [at, kind, title])
  return toTable([['AT', 'KIND', 'WHAT'], ...rows], stdout.columns)
}

export const recordsCommand = defineServerCommand({
  command: 'records [collection] [id]',
  describe: 'List collections or records of a running server, or show one record',
  positionals: { collection: 'Name of a collection, such as plants', id: 'Id of a record' },
  flags: {
    where: { each: pair('FIELD=VALUE', 'tag=tree'), describe: 'Only records whose field has this value: FIELD=VALUE' },
    search: { value: words, describe: 'Only records that contain this text' },
    sort: {
      value: textValue('the name of a field', 'name'),
      describe: 'Field to sort by; -FIELD for descending order',
    },
    limit: { value: nonNegative, describe: 'How many to list at most' },
    offset: { value: nonNegative, describe: 'How many to skip at the start' },
  },
  examples: [
    ['records plants --where tag=tree --sort=-id --limit 5', 'Some records'],
    ['records plants 12 --json', 'One record'],
  ],
  async run(server, { collection, id, where, search, sort, limit, offset }, { stdout }) {
    const chosen = { where: where.length > 0 ? where : undefined, search, sort, limit, offset }
    const given = Object.entries(chosen).find(([, value]) => value !== undefined)?.[0]
    if (given !== undefined && (collection === undefined || id !== undefined))
      throw new UsageError(
        `--${given}: use it with a collection, without an id: greenhouse-mock records plants --${given} ….`,
      )
    if (collection === undefined) {
      const answer = await server.call('GET /worlds/{world}/records')
      const rows = answer.data.map(({ name, size }) => [name, String(size)])
      return { answer, toText: () => toTable([['COLLECTION', 'RECORDS'], ...rows]) }
    }
    if (id !== undefined) {
      const path = { collection, id }
      const answer = await server.call('GET /worlds/{world}/records/{collection}/{id}', { path })
      return { answer, toText: () => toTable(Object.entries(answer).map(([field, value]) => [field, toText(value)])) }
    }
    const fields = Object.fromEntries(where.map(([field, value]) => [`where.${field}`, value]))
    const answer = await server.call('GET /worlds/{world}/records/{collection}', {
      path: { collection },
      query: { search, sort, limit, offset, ...fields },
    })
    return { answer, toText: () => toRecordTable(collection, answer as Answer, stdout) }
  },
})

const longestCell = 48

interface Answer {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly total?: number
}

function toRecordTable(collection: string, { data, total = data.length }: Answer, stdout: OutputStream): string {
  const count = data.length === total ? '' : `${data.length} of ${total} records.\n`
  if (data.length === 0) return count === '' ? `There is no such record in ${collection}.\n` : count
  const fields = [...new Set(data.flatMap((record) => Object.keys(record)))]
  const rows = data.map((record) => fields.map((field) => toCell(record[field])))
  const width = stdout.isTTY ? stdout.columns : undefined
  const { cells, left } = fitColumns([fields.map((field) => field.toUpperCase()), ...rows], width)
  const rest = left === 0 ? '' : `Fields not shown: ${fields.slice(-left).join(', ')}. --json shows them.\n`
  return toTable(cells) + (count + rest === '' ? '' : `\n${count}${rest}`)
}

function toCell(value: unknown): string {
  const text = toText(value)
  return text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : toJson(value)
}
