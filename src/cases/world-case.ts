import { toEntry } from '../core/journal/journal-entry.ts'
import { bodyCap, type JournalRecord } from '../core/journal/journal-record.ts'
import type { OutsideChange, PastChange } from '../core/world/changes.ts'
import { toChoice } from '../core/world/effective-settings.ts'
import { splitScenarios } from '../core/world/scenario-choice.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { StartedFrom } from '../core/world/world-template.ts'
import { accounts } from '../core/accounts/accounts.ts'
import { isSame, type Fields } from '../core/text/values.ts'
import { systemNow } from '../core/time/clock.ts'
import { toIso } from '../core/time/time-text.ts'
import { bundledFixtures } from '../fixtures/bundled.ts'
import { toWritten } from '../fixtures/forms.ts'
import { createInitialRecords } from '../fixtures/initial-records.ts'
import { quotaHoldersOf, quotaOf } from '../catalogue/inspect/accounts.ts'
import {
  allCollections,
  requireCollection,
  type Collection,
} from '../catalogue/inspect/collections.ts'
import { dueOf } from '../catalogue/inspect/due.ts'
import { caseVersion, toBytesIfNeeded, toContent } from './format.ts'
import { CaseSecrets } from './secrets.ts'
import { toServiceScenarios } from './service-replies.ts'
import type { Case, CaseRecords, CaseStart, CaseStep } from './generated/case.ts'
import { givenOf } from '../core/contract/options.ts'

export interface CaseSettings {
  readonly by: string
  readonly trace: boolean
  readonly strict: boolean
  readonly cors: readonly string[]
  readonly scenarios: Fields
  readonly assumptions: ReadonlyMap<string, string>
}

const maxDue = 20

export interface CaseQuery {
  readonly title?: string | undefined
  readonly until?: number | undefined
  /** The requests that it has; all by default. */
  readonly keeps?: (record: JournalRecord) => boolean
  /** Names that it shows for keys, by secret. */
  readonly names?: ReadonlyMap<string, string>
}

/** Writes where a world started, what happened in it, and its end. */
export function toCase(world: LiveWorld, settings: CaseSettings, query: CaseQuery = {}): Case {
  const { title, until = Infinity, keeps = () => true } = query
  const secrets = new CaseSecrets(world, query.names)
  const records = world.journal.records().filter((record) => record.id <= until && keeps(record))
  const changes = world.history.changes.filter(({ after }) => after < until)
  const steps = writeSteps(records, changes, secrets, world)
  const startable = {
    ...world.start,
    scenarios: [...secrets.hideAll(world.start.scenarios), ...toServiceScenarios(steps)],
    recordsOf: (definition: Collection) => world.initialRecordsOf(definition).all(),
  }
  const start: CaseStart = {
    ...writeStart(world, startable, settings, secrets),
    settings: writeSettings(settings),
    own_scenarios: secrets.hideAll(scenariosNamed(usedNamesOf(world, records), settings)),
  }
  return givenOf({
    case: caseVersion,
    title: title && secrets.hide(title),
    world: world.name === 'default' ? undefined : secrets.hide(world.name),
    made: { by: settings.by, at: toIso(systemNow()) },
    incomplete: whyIncomplete(world, records),
    exact: true,
    start: givenOf(start),
    steps,
    end: until < world.journal.lastId ? undefined : writeEnd(world, secrets),
  })
}

/** Writes the settings that are not those of a new Greenhouse. */
function writeSettings({ trace, strict, cors }: CaseSettings): CaseStart['settings'] {
  const settings = {
    trace: trace && undefined,
    strict: strict || undefined,
    cors: ifAny([...cors]),
  }
  return ifAny(givenOf(settings))
}

function scenariosNamed(
  names: ReadonlySet<string | undefined>,
  { scenarios }: CaseSettings,
): CaseStart['own_scenarios'] {
  const own = Object.entries(scenarios).filter(([name]) => names.has(name))
  return ifAny(Object.fromEntries(own)) as CaseStart['own_scenarios']
}

function usedNamesOf(world: LiveWorld, records: readonly JournalRecord[]): Set<string | undefined> {
  const used = world.history.changes.flatMap(({ change }) => {
    if ('use' in change) return change.use
    return 'use_only' in change ? change.use_only : []
  })
  const named = [...world.start.scenarios, ...used].map(
    (choice) => (choice as { name?: string }).name,
  )
  const headers = new Set(
    records.map(({ headers }) => String(headers['x-greenhouse-scenario'] ?? '')),
  )
  const requested = [...headers]
    .flatMap(splitScenarios)
    .flatMap((text) => text.split(':', 1))
    .map((name) => name.trim())
  return new Set([...named, ...requested])
}

/** Says why what happened can't be repeated with these requests. */
export function whyIncomplete(
  { journal, history }: LiveWorld,
  records: readonly JournalRecord[],
): string | undefined {
  if (history.gap !== undefined) return history.gap
  if (journal.evicted > 0)
    return `the journal had no room for the first ${journal.evicted} requests`
  const large = records.find(({ isTooLarge }) => isTooLarge)
  if (large) return `request ${large.id} was too large for the journal`
  const cut = records.find(({ body }) => body !== undefined && body.length > bodyCap)
  return cut && `the journal keeps only the first 64 KiB of the body of request ${cut.id}`
}

function writeSteps(
  records: readonly JournalRecord[],
  changes: readonly PastChange[],
  secrets: CaseSecrets,
  world: LiveWorld,
): CaseStep[] {
  const requests = records.map((record) => ({
    place: record.id,
    step: writeRequest(record, secrets),
  }))
  // A change comes after the request that it followed, and before the next one.
  const others = changes.map((change) => ({
    place: change.after + 0.5,
    step: writeChange(change, secrets, world),
  }))
  return [...requests, ...others]
    .sort((one, other) => one.place - other.place)
    .map(({ step }) => step)
}

/**
 * Writes a request, and the complete reply of the core, even if the client took only a part of it.
 * @internal
 */
export function writeRequest(record: JournalRecord, secrets: CaseSecrets): CaseStep {
  const entry = toEntry({
    ...record,
    aborted: false,
    sent: record.length,
    leftAt: record.leftAt || 1,
  })
  const { request, response, operation, answered_by, reason, violations } = entry
  const show = (text: string) => secrets.show(text)
  const content = (kept: string | Uint8Array | null | undefined, shown?: string) => {
    if (kept === null || kept === undefined) return undefined
    return toBytesIfNeeded(kept, (text) => secrets.hide(text)) ?? toContent(shown && show(shown))
  }
  const step: CaseStep = {
    at: entry.at,
    request: `${request.method} ${show(request.url)}`,
    headers: ifAny(showHeaders(secrets, request.headers)),
    ...content(record.body, request.body),
    reply: {
      status: response.status,
      headers: showHeaders(secrets, response.headers, response.repeated),
      ...content(record.replyBody, response.body),
    },
    operation,
    answered_by,
    reason: reason && show(reason),
    mistakes: violations?.map(({ rule, message }) => `${rule}: ${show(message)}`),
  }
  return givenOf(step)
}

function showHeaders(
  secrets: CaseSecrets,
  headers: Readonly<Record<string, string>>,
  repeated: Readonly<Record<string, string[]>> = {},
): Record<string, string | string[]> {
  const show = (text: string) => secrets.show(text)
  const shown = Object.entries(headers).map(([name, value]) => [
    show(name),
    repeated[name]?.map(show) ?? show(value),
  ])
  return Object.fromEntries(shown)
}

function writeChange({ at, change }: PastChange, secrets: CaseSecrets, world: LiveWorld): CaseStep {
  const write = (collection: string, record: object) =>
    writeRecord(secrets, requireCollection(world, collection), record, at)
  const action = writeAction(change, secrets, write)
  return { at: toIso(at), ...action }
}

function writeAction(
  change: OutsideChange,
  secrets: CaseSecrets,
  write: (collection: string, record: object) => Fields,
): CaseStep {
  if ('clock' in change) return { clock: { ...change.clock, now: toIso(change.clock.now) } }
  if ('put' in change) {
    const { collection, record } = change.put
    return { put: { ...change.put, record: write(collection, record) } }
  }
  if ('replace' in change) {
    const { collection, records } = change.replace
    return { replace: { collection, records: records.map((record) => write(collection, record)) } }
  }
  if ('remove' in change) {
    const { collection, key } = change.remove
    return { remove: { collection, key: typeof key === 'string' ? secrets.hide(key) : key } }
  }
  if ('create_key' in change) {
    const { secret, ...key } = change.create_key
    if (!secrets.hasName(secret)) return { create_key: secrets.hideAll(key) }
    return { put: { collection: 'keys', record: write('keys', change.create_key) } }
  }
  return secrets.hideAll(change) as CaseStep
}

function writeRecord(
  secrets: CaseSecrets | undefined,
  definition: Collection,
  record: object,
  now: number,
) {
  return toWritten(definition, secrets?.hideRecord(definition, record) ?? record, now) as Fields
}

interface Startable extends StartedFrom {
  recordsOf(definition: Collection): readonly object[]
}

function writeStart(
  world: LiveWorld,
  { seed, restarts, now, frozen, assumptions, scenarios, initialRecordsAt, recordsOf }: Startable,
  settings: CaseSettings,
  secrets?: CaseSecrets,
): CaseStart {
  const changed = Object.fromEntries(
    [...assumptions].filter(([id, value]) => settings.assumptions.get(id) !== value),
  )
  const bundled = createInitialRecords(bundledFixtures, initialRecordsAt, true)
  const records: Record<string, CaseRecords> = {}
  for (const definition of allCollections(world)) {
    const own = recordsOf(definition)
    const base = bundled.of(definition).all()
    if (!isSame(own, base))
      records[definition.name] = toDifference(definition, base, own, (record) =>
        writeRecord(secrets, definition, record, initialRecordsAt),
      )
  }
  const start: CaseStart = {
    seed,
    restarts: restarts || undefined,
    now: toIso(now),
    frozen: frozen || undefined,
    fixtures: 'default',
    fixtures_at: initialRecordsAt === now ? undefined : toIso(initialRecordsAt),
    records: ifAny(records),
    assumptions: ifAny(changed),
    scenarios: ifAny([...scenarios]) as CaseStart['scenarios'],
  }
  return givenOf(start)
}

/** Returns nothing for an empty list or object: cases leave those out. */
function ifAny<T extends object>(some: T): T | undefined {
  if (Object.keys(some).length > 0) return some
  return undefined
}

/** Quotas, counters and idempotency keys start again. */
export function toState(world: LiveWorld, settings: CaseSettings): Case {
  const state: Startable = {
    seed: world.seed,
    restarts: world.chance.restarts + 1,
    now: world.clock.now(),
    frozen: world.clock.frozen,
    assumptions: world.effectiveSettings.assumptions,
    scenarios: toChoices(world),
    initialRecordsAt: world.start.initialRecordsAt,
    recordsOf: (definition) => world.collection(definition).all(),
  }
  const made = { by: settings.by, at: toIso(systemNow()) }
  return {
    case: caseVersion,
    title: 'The state of a server',
    made,
    start: writeStart(world, state, settings),
  }
}

export function toChoices({ active }: LiveWorld): object[] {
  return active.map(toChoice)
}

/**
 * Writes only the records that differ, if adding them at the end gives the same order; otherwise
 * writes all.
 */
function toDifference(
  { key }: Collection,
  base: readonly object[],
  own: readonly object[],
  write: (record: object) => Fields,
): CaseRecords {
  const ownOrder = own.map(key)
  const ownKeys = new Set(ownOrder)
  const before = new Map(base.map((record) => [key(record), record]))
  const remove = [...before.keys()].filter((one) => !ownKeys.has(one))
  const put = own.filter((record) => !isSame(before.get(key(record)), record))
  const kept = [...before.keys()].filter((one) => ownKeys.has(one))
  const order = [...kept, ...ownOrder.filter((one) => !before.has(one))]
  const isInOrder = order.every((one, index) => one === ownOrder[index])
  if (!isInOrder || remove.length + put.length > own.length / 2) return { replace: own.map(write) }
  return givenOf({ remove: ifAny(remove), put: ifAny(put.map(write)) })
}

function writeEnd(world: LiveWorld, secrets: CaseSecrets): NonNullable<Case['end']> {
  const due = dueOf(world)
    .slice(0, maxDue)
    .map(({ at, title }) => ({ at: toIso(at), title: secrets.hide(title) }))
  return givenOf({
    at: toIso(world.clock.now()),
    quotas: ifAny(writeQuotas(world)),
    due: ifAny(due),
  })
}

/** Writes the quotas of accounts that are used. */
function writeQuotas(world: LiveWorld): Record<string, Record<string, object>> {
  const quotas: Record<string, Record<string, object>> = {}
  const holders = world
    .collection(accounts)
    .all()
    .flatMap((account) => quotaHoldersOf(world, account))
  for (const holder of holders) {
    if (holder.secret !== undefined) continue
    const { account, minute, day } = quotaOf(world, holder)
    for (const [name, { used, remaining, resets_at }] of Object.entries({ minute, day }))
      if (used > 0) (quotas[account] ??= {})[name] = { used, remaining, resets_at }
  }
  return quotas
}
