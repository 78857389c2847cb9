import { countOf } from '../../core/text/messages.ts'
import type { QuotaSummary } from '../../control/actions/accounts.ts'
import { defineCommand } from '../command.ts'
import { callFlags, RemoteServer } from '../running-server.ts'
import { toTable } from '../../output/table.ts'
import { toActiveNames } from '../../control/shapes.ts'

/** The most worlds, problems and quotas to show. */
const maxShown = 20

export const statusCommand = defineCommand({
  command: 'status',
  config: 'optional',
  describe: 'Show a running server: worlds, clock, scenarios, journal, quotas',
  flags: callFlags,
  async run(args, terminal) {
    const answer = await readStatus(new RemoteServer(args, terminal))
    return {
      answer,
      toText: () => toStatusText(answer),
    }
  },
})

async function readStatus(server: RemoteServer) {
  const { version, panel_url } = await server.call('GET /start')
  const { data: problems } = await server.call('GET /problems')
  const { data: worlds } = await server.call('GET /worlds')
  const { unrecorded } = await server.call('GET /worlds/{world}/journal', { before: 1 })
  const world = await server.call('GET /worlds/{world}')
  const { active } = await server.call('GET /worlds/{world}/scenarios')
  const { data: quotas } = await server.call('GET /worlds/{world}/quotas')
  return {
    server: server.server,
    version,
    panel_url,
    problems,
    worlds,
    unrecorded,
    world,
    active,
    quotas,
  }
}

function toStatusText(status: Awaited<ReturnType<typeof readStatus>>): string {
  const { server, version, panel_url, problems, worlds, unrecorded, world, active, quotas } = status
  const { name, clock, journal, snapshots } = world
  const kinds = Object.entries(unrecorded)
  const dropped = journal.evicted > 0 ? `; ${journal.evicted} older ones were dropped` : ''
  const top = toTable([
    ['Server', `${server}, version ${version}`],
    ['Panel', panel_url],
    ['Worlds', `${worlds.length}: ${listFew(worlds.map((one) => one.name).sort())}`],
    ...problems
      .slice(0, maxShown)
      .map(({ file, line, message }) => [
        'Problem',
        `${file}${line === null ? '' : `:${line}`}: ${message}`,
      ]),
    ...(kinds.length > 0
      ? [['No world', kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')]]
      : []),
  ])
  const below = toTable([
    ['World', name],
    ['Clock', `${clock.now}${clock.frozen ? ', frozen' : ''}`],
    ['Scenarios', toActiveNames(active).join(' ') || 'none active'],
    ['Journal', countOf(journal.size, 'request') + dropped],
    ['Snapshots', listFew(snapshots) || 'none'],
  ])
  return `${top}\n${below}${quotas.length > 0 ? `\n${toQuotaTable(quotas)}` : ''}`
}

function toQuotaTable(quotas: readonly QuotaSummary[]): string {
  const rows = quotas.slice(0, maxShown).map(toQuotaRow)
  const more =
    quotas.length > maxShown ? `and ${quotas.length - maxShown} more; --json has them all\n` : ''
  return toTable([['ACCOUNT', 'PLAN', 'MINUTE', 'DAY'], ...rows]) + more
}

function toQuotaRow({ account, key, plan, minute, day, scenario }: QuotaSummary): string[] {
  const by = scenario === null ? '' : ` (${scenario})`
  const uses = [minute, day].map(({ used, limit }) => `${used} of ${limit}${by}`)
  return [key === null ? account : `${account} ${key}`, plan, ...uses]
}

function listFew(names: readonly string[]): string {
  const more = names.length - maxShown
  return names.slice(0, maxShown).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
