import { toNamedScenario, toScenarioText, type ScenarioChoice } from '../core/world/scenario-choice.ts'
import { createControlClient } from './control-client.ts'
import type { Target } from './server-flags.ts'
import { toTable } from './table.ts'

/** A window of a plan as the control API shows it. */
interface ShownWindow {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  readonly resets_at: string
}

/** What of an account's answer is shown here; a plan without limits has no quota. */
interface ShownAccount {
  readonly id: string
  readonly plan: string
  readonly quota: { readonly minute: ShownWindow | null; readonly day: ShownWindow | null } | null
}

/** What of a world's answer is shown here. */
interface ShownWorld {
  readonly name: string
  readonly clock: { readonly now: string; readonly frozen: boolean }
  readonly journal: { readonly size: number; readonly evicted: number }
  readonly snapshots: readonly string[]
}

/** A server and one of its worlds. Each field is what the control API answers. */
export interface Status {
  readonly server: string
  readonly version: string
  readonly panel_url: string
  /** `GET /worlds` */
  readonly worlds: readonly ShownWorld[]
  /** `GET /worlds/{w}` */
  readonly world: ShownWorld
  /** `GET /worlds/{w}/scenarios` */
  readonly scenarios: { readonly active: readonly ScenarioChoice[] }
  /** `GET /worlds/{w}/accounts` */
  readonly accounts: readonly ShownAccount[]
}

/** How many worlds and accounts are shown by name. */
const mostShown = 20

/** Asks a running server. @throws Error that says why it did not work and what to do. */
export async function readStatus(target: Target): Promise<Status> {
  const client = createControlClient(target)
  const [start, worlds, world, scenarios, accounts] = (await Promise.all([
    client.call('GET', '/start'),
    client.call('GET', '/worlds'),
    client.callWorld('GET', ''),
    client.callWorld('GET', '/scenarios'),
    client.callWorld('GET', '/accounts'),
  ])) as [Status, { data: Status['worlds'] }, ShownWorld, Status['scenarios'], { data: Status['accounts'] }]
  const { version, panel_url } = start
  return { server: target.server, version, panel_url, worlds: worlds.data, world, scenarios, accounts: accounts.data }
}

/** The same for people. */
export function toStatusText({ server, version, panel_url, worlds, world, scenarios, accounts }: Status): string {
  const { name, clock, journal, snapshots } = world
  const active = scenarios.active.map((choice) => toScenarioText(toNamedScenario(choice)))
  const top = toTable([
    ['Server', `${server}, version ${version}`],
    ['Panel', panel_url],
    ['Worlds', `${worlds.length}: ${toNames(worlds.map((one) => one.name))}`],
  ])
  const below = toTable([
    ['World', name],
    ['Clock', `${clock.now}${clock.frozen ? ', frozen' : ''}`],
    ['Scenarios', active.length > 0 ? active.join(' ') : 'none active'],
    ['Journal', `${journal.size} requests${journal.evicted > 0 ? `; ${journal.evicted} older ones made room` : ''}`],
    ['Snapshots', snapshots.length > 0 ? toNames(snapshots) : 'none'],
  ])
  return `${top}\n${below}${accounts.length > 0 ? `\n${toQuotaTable(accounts)}` : ''}`
}

function toQuotaTable(accounts: readonly ShownAccount[]): string {
  const rows = accounts
    .slice(0, mostShown)
    .map(({ id, plan, quota }) => [id, plan, toUse(quota?.minute), toUse(quota?.day)])
  const more = accounts.length > mostShown ? `and ${accounts.length - mostShown} more; --json has them all\n` : ''
  return toTable([['ACCOUNT', 'PLAN', 'MINUTE', 'DAY'], ...rows]) + more
}

function toUse(window: ShownWindow | null | undefined): string {
  return window ? `${window.used} of ${window.limit}` : 'unlimited'
}

/** The first names, and how many more there are. */
function toNames(names: readonly string[]): string {
  const more = names.length - mostShown
  return names.slice(0, mostShown).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
