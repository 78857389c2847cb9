import { codedError } from '../core/text/error-codes.ts'
import { describeProblem, quote } from '../core/text/messages.ts'
import { isSame } from '../core/text/values.ts'
import { systemNow } from '../core/time/clock.ts'
import { lastTime, toTimestamp } from '../core/time/time-text.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { parseStart } from '../core/world/world-template.ts'
import { bundledFixtures } from '../fixtures/bundled.ts'
import type { Fixtures } from '../fixtures/check.ts'
import {
  assertValid,
  createInitialRecords,
  markAsHeld,
  type ToCaseProblem,
} from '../fixtures/initial-records.ts'
import type { Problem } from '../core/contract/problem.ts'
import {
  allCollections,
  requireCollection,
  type WithCollections,
} from '../catalogue/inspect/collections.ts'
import type { Case, CaseRecords, CaseStart } from './generated/case.ts'
import { toChoices } from './world-case.ts'

/**
 * Changes a world to the state that a case starts with. If the clock of the state was not frozen,
 * it has run on since the state was written.
 * @throws DataError, RangeError for a state that does not fit; then nothing has changed
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
  const at = readTime(now, world.clock.now())
  const initialRecordsAt = readTime(start.fixtures_at, at)
  const time = frozen ? at : toTimeNow(at, made)
  const values = { ...Object.fromEntries(defaults), ...start.assumptions }
  const fixtures = toCaseFixtures(records, world)
  assertValid([fixtures], world.collections)
  const initialRecords = createInitialRecords([fixtures], initialRecordsAt)
  // A start that does not fit throws here, before anything has changed.
  parseStart(
    world,
    world.template,
    {
      now: time,
      scenarios,
      assumptions: values,
    },
    initialRecords.of,
  )
  for (const definition of allCollections(world)) {
    const initial = initialRecords.of(definition)
    if (!isSame(world.collection(definition).all(), initial.all())) world.put(definition, initial)
  }
  if (!isSame(toChoices(world), scenarios)) world.scenarios.use(scenarios, { isOnly: true })
  if (!isSame(Object.fromEntries(world.effectiveSettings.assumptions), values))
    world.scenarios.assume(values)
  if (seed !== world.seed || restarts !== world.state.chance.restarts) world.reseed(seed, restarts)
  // Comes last, so that the work that is due by then belongs to these records.
  setClock(world, time, frozen)
}

/** The largest difference of running clocks that agree, in milliseconds. */
const clockTolerance = 1_000

function setClock({ clock }: LiveWorld, time: number, frozen: boolean) {
  if (frozen) clock.freeze()
  else clock.run()
  const difference = Math.abs(clock.now() - time)
  if (difference > (frozen ? 0 : clockTolerance)) clock.set(time)
}

function readTime(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  return toTimestamp(text)
}

/** Returns what a clock shows now that showed `at` when a state was written, and has run on. */
function toTimeNow(at: number, made: Case['made']): number {
  if (!made) return at
  return Math.min(lastTime, at + Math.max(0, systemNow() - toTimestamp(made.at)))
}

/**
 * Returns the fixtures that the world of a case starts with: the bundled ones, with the differences
 * that the case has.
 * @param isHandwritten whether a person wrote the case, who may have misspelt what it removes
 */
export function toCaseFixtures(
  differences: NonNullable<CaseStart['records']>,
  known: WithCollections,
  isHandwritten = false,
): Fixtures {
  const merged: Record<string, unknown[]> = {}
  for (const document of bundledFixtures)
    for (const [name, values] of Object.entries(document)) (merged[name] ??= []).push(...values)
  for (const [name, given] of Object.entries(differences)) {
    const { key } = requireCollection(known, name)
    const keyOf = (value: unknown) => String(key(value as object))
    const values = merged[name] ?? []
    if (isHandwritten) assertRemovedExist(name, given, values.map(keyOf))
    merged[name] = applyDifference(values, given, keyOf)
  }
  const locate = locators.get(differences)
  return markAsHeld(merged, (problem) => {
    const moved = {
      ...problem,
      file: 'case',
      path: toCasePath(problem.path),
    }
    return locate?.(moved) ?? moved
  })

  /** Returns where the case has a record of the merged fixtures, if it has it. */
  function toCasePath(path: Problem['path']): Problem['path'] {
    const [name, place, ...rest] = path
    const collection = String(name)
    const record = merged[collection]?.[Number(place)]
    for (const [kind, given] of Object.entries(differences[collection] ?? {})) {
      const index = given.indexOf(record)
      if (index >= 0) return ['start', 'records', collection, kind, index, ...rest]
    }
    return path
  }
}

/** Finds the lines of a case's file, by the records that it starts with. */
const locators = new WeakMap<object, ToCaseProblem>()

/** Lets mistakes in the records of a case name the line of its file. */
export function rememberPlaces({ start }: Case, locate: ToCaseProblem): void {
  if (start?.records) locators.set(start.records, locate)
}

/** @throws RangeError for a record to remove that the fixtures do not have. */
function assertRemovedExist(name: string, { remove = [] }: CaseRecords, known: readonly string[]) {
  const absent = remove.map(String).find((key) => !known.includes(key))
  if (absent !== undefined)
    throw codedError(
      'GREENHOUSE_UNKNOWN_NAME',
      `Failed to start with the case: ${describeProblem(`there is no record ${quote(absent)} in "${name}" to remove`, absent, known)}`,
    )
}

/** A record that is put takes the place of the one with its key, or comes last. */
function applyDifference(
  base: readonly unknown[],
  { replace, remove = [], put = [] }: CaseRecords,
  keyOf: (value: unknown) => string,
): unknown[] {
  const removed = new Set(remove.map(String))
  const values = [...(replace ?? base.filter((value) => !removed.has(keyOf(value))))]
  const places = new Map(values.map((value, index) => [keyOf(value), index]))
  for (const record of put) {
    const index = places.get(keyOf(record)) ?? values.length
    places.set(keyOf(record), index)
    values[index] = record
  }
  return values
}
