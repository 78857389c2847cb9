import { recognizeAcrossBuilds } from '../contract/builds.ts'
import { differingChoices } from '../contract/assumptions.ts'
import { toFingerprint } from '../secrets/known-secrets.ts'
import type { CollectionDefinition, RecordKey } from '../store/collection.ts'
import type { RecordIndex } from '../store/record-index.ts'
import { nameSome, quote } from '../text/messages.ts'
import { isSame } from '../text/values.ts'
import { toChoice } from './effective-settings.ts'
import type { KeptChange, Snapshot } from './snapshot.ts'

/** Something changed the world after the change that was to be taken back. */
export class ChangedSinceError extends Error {
  override name = 'ChangedSinceError'
}

recognizeAcrossBuilds(ChangedSinceError, 'ChangedSinceError')

/** The most of the changed things that a message names. */
const maxNamed = 3

export function changedSince({ id }: KeptChange, what: readonly string[]): ChangedSinceError {
  return new ChangedSinceError(
    `Failed to undo: ${nameSome(what, maxNamed)} changed since. The state before is kept as the snapshot ${quote(id)}: restore it, and what changed since is lost too.`,
  )
}

/**
 * Returns whether something was written or set between two states. A record that was written as it
 * was counts, too.
 */
export function isChanged(
  one: Snapshot,
  other: Snapshot,
  collections: readonly CollectionDefinition<object>[],
): boolean {
  // Comparing records would take long in a large world, for each change.
  const isWritten = (definition: CollectionDefinition<object>) =>
    recordsIn(one, definition) !== recordsIn(other, definition)
  return differingSettings(one, other).length > 0 || collections.some(isWritten)
}

/** Names what differs. What requests spend or count, and the time that passed, is no difference. */
export function differencesOf(
  one: Snapshot,
  other: Snapshot,
  collections: readonly CollectionDefinition<object>[],
): string[] {
  const found = differingSettings(one, other)
  if (one.origin !== other.origin) return found
  for (const collection of collections)
    found.push(...differingRecords(recordsIn(one, collection), recordsIn(other, collection)))
  return found
}

/** Names what differs besides records. */
function differingSettings(one: Snapshot, other: Snapshot): string[] {
  if (one.origin !== other.origin) return ['the world, which was reset,']
  const found: string[] = []
  if (one.clock.setting !== other.clock.setting) found.push('the clock')
  if (one.limiter.refilled !== other.limiter.refilled) found.push('a quota')
  for (const id of differingChoices(one.scenarios.assumptions, other.scenarios.assumptions))
    found.push(`the assumption ${id}`)
  found.push(...differingScenarios(one, other))
  return found
}

function differingScenarios(one: Snapshot, other: Snapshot): string[] {
  const some = scenarioChoicesOf(one)
  const others = scenarioChoicesOf(other)
  if (isSame(some, others)) return []
  const names = new Set([...some, ...others].map(({ name }) => name))
  const withName = (all: typeof some, name: string) => all.filter((active) => active.name === name)
  const changed = [...names].filter((name) => !isSame(withName(some, name), withName(others, name)))
  if (changed.length === 0) return ['the order of the scenarios']
  return changed.map((name) => `the scenario ${name}`)
}

function scenarioChoicesOf({ scenarios }: Snapshot) {
  return scenarios.active.map((active) => ({
    name: active.name,
    choice: toChoice(active),
  }))
}

function recordsIn(
  { data }: Snapshot,
  definition: CollectionDefinition<object>,
): RecordIndex<object> {
  return data.indexes.get(definition.name) ?? data.initialRecordsOf(definition)
}

function differingRecords(one: RecordIndex<object>, other: RecordIndex<object>): string[] {
  if (one === other) return []
  const { name, key } = one.definition
  const [some, others] = [one.all(), other.all()]
  const gone = new Set(some.map(key))
  const found: string[] = []
  const add = (id: RecordKey) =>
    found.push(
      `the record ${quote(name === 'keys' ? toFingerprint(String(id)) : String(id))} of "${name}"`,
    )
  for (const record of others) {
    const id = key(record)
    gone.delete(id)
    if (!isSame(one.get(id)?.record, record)) add(id)
  }
  gone.forEach(add)
  if (found.length === 0 && !isSame(some.map(key), others.map(key)))
    found.push(`the order of "${name}"`)
  return found
}
