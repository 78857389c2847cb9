import { hideHeader, isSecretName, redact } from '../secrets/secrets.ts'
import type { SecretFinder } from '../secrets/known-secrets.ts'
import type { EntryView } from './entry-view.ts'
import { type JournalEntry, toEntry } from './journal-entry.ts'
import type { JournalRecord } from './journal-record.ts'
import { type Difference, type EntryFilter, Matcher } from './matching.ts'
import { showExpected } from './request-query.ts'
import { StoredView, toShownView } from './stored-view.ts'

/** An entry that does not match, and why. */
interface NearestEntry {
  readonly entry: JournalEntry
  /** `body/name: expected "Fern", got "Ferm"`, the most important first. */
  readonly differences: readonly string[]
}

/** How the entries of a journal compare with what a test expects. */
export interface EntryComparison {
  /** The ids of the entries that match. */
  readonly matching: readonly number[]
  /** The first of the matching entries. */
  readonly first: readonly JournalEntry[]
  /** The ids of entries that may match: the journal has dropped parts of them. */
  readonly undecided: readonly number[]
  readonly nearest: readonly NearestEntry[]
  readonly total: number
}

/** A difference of this distance says so much that smaller ones of the same entry are left out. */
const decisiveDistance = 40

/** How far an entry is from the expected one by a difference of a part; by default 5. */
const distances: Readonly<Partial<Record<Difference['part'], number>>> = {
  operation: 100,
  path: 60,
  method: decisiveDistance,
  header: 4,
  query: 4,
  body: 1,
}

const distanceOf = ({ part }: Difference) => distances[part] ?? 5

/** The most differences of an entry that a message describes. */
const maxDescribedDifferences = 8

/** An entry as a comparison takes it: what filters see, and its public form on demand. */
interface ComparableEntry {
  readonly id: number
  readonly view: EntryView
  toEntry(): JournalEntry
}

export function toComparable(record: JournalRecord): ComparableEntry {
  return {
    id: record.id,
    view: new StoredView(record),
    toEntry: () => toEntry(record),
  }
}

/** Finds the entries that match a filter, and those that come nearest. @param max of each to show */
export function compareEntries(
  entries: readonly ComparableEntry[],
  filter: EntryFilter,
  max: number,
  finders: readonly SecretFinder[],
): EntryComparison {
  const matcher = new Matcher(filter)
  const matching: ComparableEntry[] = []
  const undecided: number[] = []
  let near: {
    entry: ComparableEntry
    differences: readonly Difference[]
    distance: number
  }[] = []
  for (const entry of entries) {
    const { view } = entry
    const match = matcher.test(view)
    if (match === 'yes') matching.push(entry)
    else if (match === 'unsure') undecided.push(entry.id)
    else {
      const differences = matcher.differences(view)
      const distance = differences.reduce((sum, difference) => sum + distanceOf(difference), 0)
      // The newer of two equally near entries comes first.
      near = [{ entry, differences, distance }, ...near]
        .sort((one, other) => one.distance - other.distance)
        .slice(0, max)
    }
  }
  return {
    matching: matching.map(({ id }) => id),
    first: matching.slice(0, max).map((entry) => entry.toEntry()),
    undecided,
    nearest: near.map(({ entry, differences }) =>
      toNearestEntry(entry.toEntry(), differences, finders),
    ),
    total: entries.length,
  }
}

function toNearestEntry(
  entry: JournalEntry,
  differences: readonly Difference[],
  finders: readonly SecretFinder[],
): NearestEntry {
  const view = toShownView(entry)
  const decisive = differences.filter((difference) => distanceOf(difference) >= decisiveDistance)
  const listed = decisive.length > 0 ? decisive : differences
  const described = listed.slice(0, maxDescribedDifferences).map((difference) => {
    const { expected, actual } = difference
    const show = (value: unknown) => describeValue(value, difference, finders)
    return `${nameOfDifference(difference)}: expected ${show(expected)}, got ${show(actual(view))}`
  })
  if (listed.length > maxDescribedDifferences)
    described.push(`and ${listed.length - maxDescribedDifferences} more`)
  return {
    entry,
    differences: described,
  }
}

/** Returns the place of a difference: `header accept`, or a JSON pointer such as `body/name`. */
function nameOfDifference({ part, at }: Difference): string {
  if (part === 'body')
    return ['body', ...at.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
  return at.length === 0 ? part : `${part} ${at[0]}`
}

function describeValue(
  value: unknown,
  { part, at }: Difference,
  finders: readonly SecretFinder[],
): string {
  // A filter may expect only that something is there (`true`) or is not (`false`).
  const mayLack = ['header', 'query', 'operation', 'account', 'key', 'scenario'].includes(part)
  if (mayLack && typeof value === 'boolean') return value ? 'any' : 'none'
  if (mayLack && value === undefined) return part === 'operation' ? 'no operation' : 'none'
  const name = part === 'key' ? 'authorization' : (at.at(-1) ?? '')
  const shown = showExpected(value, (text) => {
    if (isSecretName(name)) return hideHeader(name, text, finders)
    return redact(text, finders)
  })
  const isBare = ['operation', 'method', 'path', 'status', 'account'].includes(part)
  return isBare ? shown.replaceAll('"', '') : shown
}
