import { codedError } from '../core/text/error-codes.ts'
import { describeProblem, quote } from '../core/text/messages.ts'
import { isSame } from '../core/text/values.ts'
import { systemNow } from '../core/time/clock.ts'
import { lastTime, toTimestamp } from '../core/time/time-text.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { bundledFixtures } from '../fixtures/bundled.ts'
import type { Fixtures } from '../fixtures/check.ts'
import { assertValid, asHeld, createInitialRecords } from '../fixtures/initial-records.ts'
import {
  allCollections,
  requireCollection,
  type WithCollections,
} from '../catalogue/inspect/collections.ts'
import type { Case, CaseRecords, CaseStart } from './generated/case.ts'
import { toChoices } from './world-case.ts'

/** The largest difference of clocks that agree, in milliseconds. */
const tolerance = 1_000

/**
 * A clock that was not frozen has run on. @throws DataError, RangeError for a state that does not
 * fit; then nothing has changed
 */
export function applyState(
  world: LiveWorld,
  { start = {}, made }: Case,
  defaults: ReadonlyMap<string, string>,
): void {
  const {
    seed = world.seed,
    restarts = 0,
    now,
    frozen = false,
    records = {},
    scenarios = [],
  } = start
  const at = timeOf(now, world.clock.now())
  const initialRecordsAt = timeOf(start.fixtures_at, at)
  const time = frozen ? at : runOn(at, made)
  const values = { ...Object.fromEntries(defaults), ...start.assumptions }
  const fixtures = toFixtures(records, world)
  assertValid([fixtures], world.collections)
  const initialRecords = createInitialRecords([fixtures], initialRecordsAt)
  world.assertStart({ now: time, scenarios, assumptions: values }, (definition) =>
    initialRecords.of(definition),
  )
  for (const definition of allCollections(world)) {
    const index = initialRecords.of(definition)
    if (!isSame(world.collection(definition).all(), index.all())) world.put(definition, index)
  }
  if (!isSame(toChoices(world), scenarios)) world.scenarios.use(scenarios, { isOnly: true })
  if (!isSame(Object.fromEntries(world.effectiveSettings.assumptions), values))
    world.scenarios.assume(values)
  if (seed !== world.seed || restarts !== world.chance.restarts) world.reseed(seed, restarts)
  // Comes last, so that the work that is due by then belongs to these records.
  setClock(world, time, frozen)
}

function setClock({ clock }: LiveWorld, time: number, frozen: boolean): void {
  if (frozen) clock.freeze()
  else clock.run()
  const difference = Math.abs(clock.now() - time)
  if (difference > (frozen ? 0 : tolerance)) clock.set(time)
}

function timeOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  return toTimestamp(text)
}

/** Returns the time of a clock that has run on since a state was written. */
function runOn(at: number, made: Case['made']): number {
  if (!made) return at
  return Math.min(lastTime, at + Math.max(0, systemNow() - toTimestamp(made.at)))
}

export function toFixtures(
  differences: NonNullable<CaseStart['records']>,
  known: WithCollections,
  isByHand = false,
): Fixtures {
  const merged: Record<string, unknown[]> = {}
  for (const document of bundledFixtures)
    for (const [name, values] of Object.entries(document)) (merged[name] ??= []).push(...values)
  for (const [name, given] of Object.entries(differences)) {
    const { key } = requireCollection(known, name)
    const keyOf = (value: unknown) => String(key(value as object))
    const values = merged[name] ?? []
    if (isByHand) assertKnown(name, given, values.map(keyOf))
    merged[name] = applyDifference(values, given, keyOf)
  }
  return asHeld(merged, (path) => {
    const [name, place, ...rest] = path
    const collection = String(name)
    const value = merged[collection]?.[Number(place)]
    for (const [kind, given] of Object.entries(differences[collection] ?? {})) {
      const index = given.indexOf(value)
      if (index >= 0) return ['start', 'records', collection, kind, index, ...rest]
    }
    return path
  })
}

/** @throws RangeError for a record to remove that the fixtures do not have. */
function assertKnown(name: string, { remove = [] }: CaseRecords, known: readonly string[]): void {
  const absent = remove.map(String).find((key) => !known.includes(key))
  if (absent !== undefined)
    throw codedError(
      'GREENHOUSE_UNKNOWN_NAME',
      `Failed to start with the case: ${describeProblem(`there is no record ${quote(absent)} in "${name}" to remove`, absent, known)}`,
    )
}

function applyDifference(
  base: readonly unknown[],
  { replace, remove = [], put = [] }: CaseRecords,
  keyOf: (value: unknown) => string,
): unknown[] {
  const gone = new Set(remove.map(String))
  const values = [...(replace ?? base.filter((value) => !gone.has(keyOf(value))))]
  const places = new Map(values.map((value, index) => [keyOf(value), index]))
  for (const record of put) {
    const index = places.get(keyOf(record)) ?? values.length
    places.set(keyOf(record), index)
    values[index] = record
  }
  return values
}
