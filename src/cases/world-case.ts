import { bodyCap, type JournalRecord } from '../core/journal/journal-record.ts'
import { toChoice } from '../core/world/effective-settings.ts'
import { splitScenarios } from '../core/world/scenario-choice.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { StartedFrom } from '../core/world/world-template.ts'
import { accounts } from '../core/accounts/accounts.ts'
import { type Fields, isSame } from '../core/text/values.ts'
import { systemNow } from '../core/time/clock.ts'
import { toIso } from '../core/time/time-text.ts'
import { bundledFixtures } from '../fixtures/bundled.ts'
import { createInitialRecords } from '../fixtures/initial-records.ts'
import { quotaHoldersOf, quotaOf } from '../catalogue/inspect/accounts.ts'
import { allCollections, type Collection } from '../catalogue/inspect/collections.ts'
import { dueOf } from '../catalogue/inspect/due.ts'
import { caseVersion } from './format.ts'
import { CaseSecrets } from './secrets.ts'
import type { Case, CaseRecords, CaseStart, CaseStep } from './generated/case.ts'
import { givenOf } from '../core/contract/options.ts'
import { unlessEmpty, writeRecord, writeSteps } from './write-step.ts'
import { splitWorld } from '../core/http/address.ts'
import { joinTarget, splitTarget } from '../core/http/request.ts'
import { toBodyText } from './content.ts'
import { framingHeaders } from '../scenarios/language/fields.ts'

/** The parts of its Greenhouse that a case has. */
export interface CaseSettings {
  /** The name and the version of the package that writes the case. */
  readonly by: string
  readonly trace: boolean
  readonly strict: boolean
  readonly cors: readonly string[]
  /** The user's own scenarios, by name. */
  readonly scenarios: Fields
  /** The default of each assumption, which a case leaves out. */
  readonly assumptions: ReadonlyMap<string, string>
}

/** The part of its world's past that a case takes. */
export interface CaseQuery {
  readonly title?: string
  /** The id of the last request of the case. */
  readonly until?: number
  /** Returns whether the case has a request; by default it has all. */
  readonly isIncluded?: (record: JournalRecord) => boolean
  /** The names that the case shows instead of keys, by secret. */
  readonly names?: ReadonlyMap<string, string>
}

/** Writes where a world started, what happened in it, and its end. */
export function toCase(world: LiveWorld, settings: CaseSettings, query: CaseQuery = {}): Case {
  const { title, until = Infinity, isIncluded = () => true } = query
  const secrets = new CaseSecrets(world, query.names)
  const records = world.journal
    .records()
    .filter((record) => record.id <= until && isIncluded(record))
  const changes = world.state.history.changes.filter(({ after }) => after < until)
  const steps = writeSteps(records, changes, secrets, world)
  const startingPoint = {
    ...world.state.start,
    scenarios: [...secrets.hideAll(world.state.start.scenarios), ...toServiceScenarios(steps)],
    recordsOf: (definition: Collection) => world.initialRecordsOf(definition).all(),
  }
  const start: CaseStart = {
    ...writeStart(world, startingPoint, settings, secrets),
    settings: writeSettings(settings),
    own_scenarios: secrets.hideAll(ownScenariosNamed(usedNamesOf(world, records), settings)),
  }
  return givenOf({
    case: caseVersion,
    title: title && secrets.hide(title),
    world: world.name === 'default' ? undefined : secrets.hide(world.name),
    made: {
      by: settings.by,
      at: toIso(systemNow()),
    },
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
    trace: trace ? undefined : false,
    strict: strict || undefined,
    cors: unlessEmpty([...cors]),
  }
  return unlessEmpty(givenOf(settings))
}

function ownScenariosNamed(
  names: ReadonlySet<string | undefined>,
  { scenarios }: CaseSettings,
): CaseStart['own_scenarios'] {
  const own = Object.entries(scenarios).filter(([name]) => names.has(name))
  return unlessEmpty(Object.fromEntries(own)) as CaseStart['own_scenarios']
}

/** Returns the names of the scenarios that a world started with, was switched to, or was asked for. */
function usedNamesOf(world: LiveWorld, records: readonly JournalRecord[]): Set<string | undefined> {
  const used = world.state.history.changes.flatMap(({ change }) => {
    if ('use' in change) return change.use
    return 'use_only' in change ? change.use_only : []
  })
  const named = [...world.state.start.scenarios, ...used].map(
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
  { journal, state: { history } }: LiveWorld,
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

/** A state of a world from which the world of a case can start. */
interface StartingPoint extends StartedFrom {
  recordsOf(definition: Collection): readonly object[]
}

function writeStart(
  world: LiveWorld,
  {
    seed,
    restarts,
    now,
    frozen,
    assumptions,
    scenarios,
    initialRecordsAt,
    recordsOf,
  }: StartingPoint,
  settings: CaseSettings,
  secrets?: CaseSecrets,
): CaseStart {
  const changedAssumptions = Object.fromEntries(
    [...assumptions].filter(([id, value]) => settings.assumptions.get(id) !== value),
  )
  const bundled = createInitialRecords(bundledFixtures, initialRecordsAt, true)
  const records: Record<string, CaseRecords> = {}
  for (const definition of allCollections(world)) {
    const own = recordsOf(definition)
    const base = bundled.of(definition).all()
    const write = (record: object) => writeRecord(secrets, definition, record, initialRecordsAt)
    if (!isSame(own, base)) records[definition.name] = toDifference(definition, base, own, write)
  }
  const start: CaseStart = {
    seed,
    restarts: restarts || undefined,
    now: toIso(now),
    frozen: frozen || undefined,
    fixtures: 'default',
    fixtures_at: initialRecordsAt === now ? undefined : toIso(initialRecordsAt),
    records: unlessEmpty(records),
    assumptions: unlessEmpty(changedAssumptions),
    scenarios: unlessEmpty([...scenarios]) as CaseStart['scenarios'],
  }
  return givenOf(start)
}

/**
 * Writes what a world is now, so that a later server or page continues from it. Quotas, counters
 * and idempotency keys are not part of it: they start again.
 */
export function toState(world: LiveWorld, settings: CaseSettings): Case {
  const state: StartingPoint = {
    seed: world.seed,
    restarts: world.state.chance.restarts + 1,
    now: world.clock.now(),
    frozen: world.clock.frozen,
    assumptions: world.effectiveSettings.assumptions,
    scenarios: toChoices(world),
    initialRecordsAt: world.state.start.initialRecordsAt,
    recordsOf: (definition) => world.collection(definition).all(),
  }
  const made = {
    by: settings.by,
    at: toIso(systemNow()),
  }
  return {
    case: caseVersion,
    title: 'The state of a server',
    made,
    start: writeStart(world, state, settings),
  }
}

/** Returns the active scenarios of a world, as people would ask for them. */
export function toChoices({ scenarios }: LiveWorld): object[] {
  return scenarios.active.map(toChoice)
}

/**
 * Writes what changes the fixtures' records, `base`, to those of a world, `own`. It writes all of
 * them where more than half differ, and where adding new ones at the end gives another order.
 */
function toDifference(
  { key: keyOf }: Collection,
  base: readonly object[],
  own: readonly object[],
  write: (record: object) => Fields,
): CaseRecords {
  const ownOrder = own.map(keyOf)
  const ownKeys = new Set(ownOrder)
  const baseByKey = new Map(base.map((record) => [keyOf(record), record]))
  const remove = [...baseByKey.keys()].filter((key) => !ownKeys.has(key))
  const put = own.filter((record) => !isSame(baseByKey.get(keyOf(record)), record))
  const keptKeys = [...baseByKey.keys()].filter((key) => ownKeys.has(key))
  const orderAfterAdding = [...keptKeys, ...ownOrder.filter((key) => !baseByKey.has(key))]
  const isInOrder = orderAfterAdding.every((key, index) => key === ownOrder[index])
  if (!isInOrder || remove.length + put.length > own.length / 2) return { replace: own.map(write) }
  return givenOf({
    remove: unlessEmpty(remove),
    put: unlessEmpty(put.map(write)),
  })
}

/** The most pieces of due work that the end of a case lists. */
const maxDue = 20

function writeEnd(world: LiveWorld, secrets: CaseSecrets): NonNullable<Case['end']> {
  const due = dueOf(world)
    .slice(0, maxDue)
    .map(({ at, title }) => ({
      at: toIso(at),
      title: secrets.hide(title),
    }))
  return givenOf({
    at: toIso(world.clock.now()),
    quotas: unlessEmpty(writeQuotas(world)),
    due: unlessEmpty(due),
  })
}

/** Writes the quotas that are used, by account. A key's own quota is left out. */
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
      if (used > 0)
        (quotas[account] ??= {})[name] = {
          used,
          remaining,
          resets_at,
        }
  }
  return quotas
}

/** Headers that every reply gets again, so that the scenario leaves them out. */
const made = [...framingHeaders, 'x-greenhouse']

/**
 * Returns a scenario with the replies of a real service, if it answered, so that the case plays
 * them again without it.
 */
function toServiceScenarios(steps: readonly CaseStep[]): object[] {
  const replies = steps.filter(({ answered_by }) => answered_by !== undefined).map(toRecordedReply)
  if (replies.length > 0)
    return [
      {
        title: 'Replies of the service',
        recorded: [{ replies }],
      },
    ]
  return []
}

function toRecordedReply(step: CaseStep): object {
  const { request = '', bytes: sentBytes, ...sent } = step
  const { status = 0, headers = {}, bytes, ...content } = step.reply ?? {}
  const kept = Object.entries(headers).filter(([name]) => !made.includes(name.toLowerCase()))
  const key = sentKeyOf(step)
  const [method = '', target = ''] = request.split(' ')
  const [path, search] = splitTarget(target)
  return givenOf({
    // A recording answers in whatever world it is active.
    request: `${method} ${joinTarget(splitWorld(path).path, search)}`,
    status,
    headers: Object.fromEntries(kept),
    sends_base64: sentBytes,
    sends: toBodyText(sent),
    key,
    fingerprint: key,
    base64: bytes,
    text: toBodyText(content),
  })
}

/** Returns the key of a request, or the fingerprint that the case has instead. */
function sentKeyOf({ headers = {} }: CaseStep): string | undefined {
  const [, sent] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization') ?? []
  return /^bearer +(\S+)/i.exec(String(sent))?.[1]
}
