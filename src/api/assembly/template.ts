import { findNode } from '../../core/contract/platform.ts'
import { type AssumptionListener, watchValues } from '../../core/contract/assumptions.ts'
import { givenOf } from '../../core/contract/options.ts'
import type { JournalRecordListener } from '../../core/journal/journal.ts'
import type { RequestValidator } from '../../core/journal/violation.ts'
import type { WorldlessListener } from '../../core/pipeline/service.ts'
import type { CollectionDefinition } from '../../core/store/collection.ts'
import { SecretFinder } from '../../core/secrets/known-secrets.ts'
import { systemNow } from '../../core/time/clock.ts'
import { toClockTime } from '../../core/time/time-text.ts'
import {
  activate,
  createEffectiveSettings,
  parseChoices,
} from '../../core/world/effective-settings.ts'
import type { LiveWorld, WorldHooks } from '../../core/world/live-world.ts'
import { createPendingLifecycle, type InitialWork } from '../../core/world/pending.ts'
import type { Unchanged, WorldTemplate } from '../../core/world/world-template.ts'
import type { Additions } from '../../custom/definitions.ts'
import type { Fixtures } from '../../fixtures/check.ts'
import type { FixtureSource } from '../../fixtures/initial-records.ts'
import { openLibrary } from '../../scenarios/language/bundled.ts'
import type { GreenhouseOptions, ReloadOptions } from '../options.ts'
import type { AreaData, Catalogue } from '../../catalogue/fold-areas.ts'
import type { Fields } from '../../core/text/values.ts'

export interface Parts {
  readonly catalogue: Catalogue
  readonly fixtures: FixtureSource
}

export interface Hooks {
  readonly onAssumptionRead?: AssumptionListener
  /**
   * Called with each request that names no world, which gets a 400. Without this callback, the
   * world `default` answers the request.
   */
  readonly onWorldless?: WorldlessListener
  readonly initialRecordsAt?: number
  readonly restarts?: number
}

/**
 * Returns the area of what a user adds; none if nothing is added. @param known the catalogue that
 * it is added to.
 */
export function findOwnArea(additions: Additions, known: Catalogue): AreaData[] {
  const { operations = [], collections = [], plugins = [] } = additions
  const [first] = [...operations, ...collections, ...plugins]
  if (first) return [first.toArea(additions, known)]
  return []
}

/** @internal */
export interface TemplateContext {
  readonly parts: Parts
  readonly hooks: Hooks
  readonly listeners: ReadonlySet<JournalRecordListener>
  readonly validator: RequestValidator
}

/** What all worlds share, and the work that they begin with. @internal */
export interface ServiceTemplate extends WorldTemplate {
  initialWork: InitialWork
}

/** @internal */
export function createWorldTemplate(
  { parts, hooks, listeners, validator }: TemplateContext,
  {
    fixtures,
    scenarios = {},
    seed = 1,
    now,
    frozen = false,
    assumptions = {},
    use = [],
    journal = {},
  }: GreenhouseOptions,
): Omit<ServiceTemplate, 'transport' | 'memory' | 'replies' | 'changes' | 'notify'> {
  const { catalogue, fixtures: source } = parts
  const { onAssumptionRead, initialRecordsAt: given, restarts = 0 } = hooks
  const { areas, collections, definitions, assumptionRegistry } = catalogue
  const records = fixtures as Fixtures | undefined
  source.check(records, collections, catalogue.fixtures)
  const library = openLibrary({ ...catalogue.scenarios, ...scenarios }, catalogue)
  const start = now === undefined ? undefined : toClockTime(now)
  const initialRecordsAt = given ?? start ?? systemNow()
  const initialRecords = source.initialRecords(records, initialRecordsAt, catalogue.fixtures)
  catalogue.check?.(catalogue, initialRecords)
  const values = assumptionRegistry.resolve(assumptions as Record<string, string>)
  const watched = onAssumptionRead ? watchValues(values, onAssumptionRead) : values
  const effectiveSettings = createEffectiveSettings([], watched)
  return {
    hosts: new Set(),
    seed,
    restarts,
    now: start,
    frozen,
    assumptionRegistry,
    effectiveSettings,
    scenarios: parseChoices(use, library),
    journal: {
      entries: journal.entries ?? 1_000,
      operations: catalogue.operations.map(({ id }) => id),
      missing: catalogue.missingAreasNote,
      validator,
      listeners,
    },
    secretCollections: collections.filter(({ secrets }) => secrets !== undefined),
    tokens: { finder: new SecretFinder([]) },
    library,
    initialRecordsAt,
    collections,
    scopes: catalogue.scopes,
    // A built-in collection may have a schema with more names.
    initialRecordsOf: (collection) =>
      initialRecords.of((definitions[collection.name] ?? collection) as typeof collection),
    initialWork: initialRecords.pending(pendingOf(areas)),
  }
}

const pendingOf = (areas: Catalogue['areas']) => areas.flatMap((area) => area.pending ?? [])

/** @internal */
export function createWorldHooks(
  { areas, hooks: { onEvent } }: Catalogue,
  template: ServiceTemplate,
): WorldHooks {
  const ofAreas = areas.flatMap((area) => area.listen ?? [])
  return {
    lifecycles: [
      createPendingLifecycle(pendingOf(areas), template),
      ...areas.flatMap((area) => area.lifecycles ?? []),
    ],
    eventListeners: onEvent ? [...ofAreas, onEvent] : ofAreas,
  }
}

interface Reloading {
  /** The options so far. */
  readonly before: GreenhouseOptions
  readonly changes: ReloadOptions
}

/** Replaces what worlds start from, while they run. @internal */
export function reloadTemplate(
  template: ServiceTemplate,
  context: TemplateContext,
  { before, changes }: Reloading,
  worlds: readonly LiveWorld[],
): Unchanged {
  const after = { ...before, ...givenOf(changes) }
  const parts = changes.fixtures
    ? context.parts
    : {
        ...context.parts,
        fixtures: reuseFixtures(template),
      }
  const { hosts } = template
  const next = {
    ...template,
    ...createWorldTemplate({ ...context, parts }, after),
    hosts,
  }
  for (const collection of next.collections) next.initialRecordsOf(collection)
  const callers = {
    name: 'default',
    collection: next.initialRecordsOf,
    initialRecordsOf: next.initialRecordsOf,
  }
  const now = next.now ?? systemNow()
  for (const choice of next.scenarios)
    activate({ ...next, callers }, choice, { now, seed: next.seed })
  const formerRecordsOf = template.initialRecordsOf
  const changed = differingNames(before.scenarios ?? {}, after.scenarios ?? {})
  template.library = next.library
  if (changes.assumptions) template.effectiveSettings = next.effectiveSettings
  if (changes.fixtures) {
    template.initialRecordsOf = next.initialRecordsOf
    template.initialRecordsAt = next.initialRecordsAt
    template.initialWork = next.initialWork
  }
  const follow = () => followAll(worlds, formerRecordsOf, template.initialRecordsOf, changed)
  // Thousands of worlds would send more events than a reader can take.
  const unchanged = template.changes.quietly(follow)
  template.changes.notify({ type: 'reload' })
  return unchanged
}

/**
 * Returns the names of the members that differ. Functions with the same code are equal, because a
 * file that is read again is imported again.
 */
export function differingNames(before: object, after: object): ReadonlySet<string> {
  const textOf = (whole: object, name: string) => toComparableText((whole as Fields)[name])
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return new Set([...names].filter((name) => textOf(before, name) !== textOf(after, name)))
}

function reuseFixtures({ initialRecordsOf, initialWork }: ServiceTemplate): FixtureSource {
  return {
    check() {},
    initialRecords: () => ({
      of: initialRecordsOf,
      pending: () => initialWork,
    }),
  }
}

type InitialRecordsOf = WorldTemplate['initialRecordsOf']

function followAll(
  worlds: readonly LiveWorld[],
  former: InitialRecordsOf,
  present: InitialRecordsOf,
  changed: ReadonlySet<string>,
) {
  const differs = new Map<string, boolean>()
  const isOther = (collection: CollectionDefinition<object>) => {
    const { name } = collection
    if (!differs.has(name))
      differs.set(
        name,
        toComparableText(former(collection).all()) !== toComparableText(present(collection).all()),
      )
    return differs.get(name)!
  }
  const followed = worlds.map((world) => ({
    world: world.name,
    ...world.applyReload(former, changed),
  }))
  return {
    scenarios: followed.flatMap(({ scenarios }) => scenarios),
    records: followed
      .map(({ world, collections }) => ({
        world,
        collections: collections.filter(isOther).map(({ name }) => name),
      }))
      .filter((records) => records.collections.length > 0),
  }
}

function toComparableText(value: unknown): string {
  try {
    return JSON.stringify(value, (_, part: unknown) => {
      if (typeof part === 'bigint') return `${part}n`
      return typeof part === 'function' ? String(part) : part
    })
  } catch {
    return ''
  }
}

export function defaultMemory(): number {
  return Math.min(2 ** 29, Math.floor(memoryOfMachine() / 8))
}

/**
 * Returns the memory of the machine or its container, in bytes. Only some browsers report it, and
 * only roughly.
 */
function memoryOfMachine(): number {
  const node = findNode()
  const { navigator } = globalThis as { navigator?: { readonly deviceMemory?: number } }
  if (!node) return (navigator?.deviceMemory ?? Infinity) * 2 ** 30
  // If the container has no memory limit, Node returns 0 or a huge number.
  return Math.min(node.getBuiltinModule('node:os').totalmem(), node.constrainedMemory() || Infinity)
}
