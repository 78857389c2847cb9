import { showExpected } from './expected.ts'
import { toEntry, type JournalEntry } from './journal-entry.ts'
import type { JournalRecord } from './journal-record.ts'
import { hide, redact, scanHeader } from './redact.ts'
import type { SecretFinder } from '../store/secret-finder.ts'
import { createComparison, isMatching, type ComparedQuery, type Difference } from './request-differences.ts'
import { toShownView, toView } from './request-view.ts'

interface NearEntry {
  readonly entry: JournalEntry
  /** `body/name: expected "Fern", got "Ferm"`, the most important first. */
  readonly differences: readonly string[]
}

export interface EntryComparison {
  readonly matching: readonly number[]
  readonly first: readonly JournalEntry[]
  /** The ids of entries that may match: the journal has dropped parts of them. */
  readonly undecided: readonly number[]
  readonly nearest: readonly NearEntry[]
  readonly total: number
}

const weights: Readonly<Record<Difference['part'], number>> = {
  operation: 100,
  path: 60,
  method: 40,
  key: 5,
  account: 5,
  status: 5,
  header: 4,
  query: 4,
  body: 1,
}

const maxDescribed = 8

export function compareEntries(records: readonly JournalRecord[], query: ComparedQuery, most: number): EntryComparison {
  const compare = createComparison(query)
  const matching: number[] = []
  const first: JournalRecord[] = []
  const undecided: number[] = []
  let near: { record: JournalRecord; differences: readonly Difference[]; distance: number }[] = []
  for (const record of records) {
    const compared = compare(toView(record))
    if (isMatching(compared)) {
      matching.push(record.id)
      if (first.length < most) first.push(record)
    } else if (compared.isUndecided) undecided.push(record.id)
    else {
      const distance = compared.differences.reduce((sum, { part }) => sum + weights[part], 0)
      // Of two equally near entries, the newer one comes first.
      near = [{ record, differences: compared.differences, distance }, ...near]
        .sort((one, other) => one.distance - other.distance)
        .slice(0, most)
    }
  }
  return {
    matching,
    first: first.map(toEntry),
    undecided,
    nearest: near.map(({ record, differences }) => toNearEntry(record, differences)),
    total: records.length,
  }
}

function toNearEntry(record: JournalRecord, differences: readonly Difference[]): NearEntry {
  const entry = toEntry(record)
  const view = toShownView(entry)
  const finders = record.journal.secretFinders()
  // If the operation, the path or the method differs, the other differences say nothing.
  const decisive = differences.filter(({ part }) => weights[part] >= weights.method)
  const listed = decisive.length > 0 ? decisive : differences
  const described = listed.slice(0, maxDescribed).map((difference) => {
    const { expected, actual } = difference
    const show = (value: unknown) => describe(value, difference, finders)
    return `${nameOf(difference)}: expected ${show(expected)}, got ${show(actual(view))}`
  })
  const more = listed.length - described.length
  return { entry, differences: more > 0 ? [...described, `and ${more} more`] : described }
}

function nameOf({ part, at }: Difference): string {
  if (part === 'body') return ['body', ...at.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
  return at.length === 0 ? part : `${part} ${at[0]}`
}

function describe(value: unknown, { part, at }: Difference, finders: readonly SecretFinder[]): string {
  const isText = part === 'header' || part === 'query'
  if (isText && typeof value === 'boolean') return value ? 'any' : 'none'
  if (value === undefined)
    return part === 'operation' ? 'no operation' : isText || part === 'account' ? 'none' : 'nothing'
  if (['operation', 'method', 'path', 'status', 'account'].includes(part))
    return showExpected(value, (text) => redact(text, finders)).replaceAll('"', '')
  const name = part === 'key' ? 'authorization' : part === 'header' ? at[0]! : undefined
  return showExpected(value, (text) =>
    name === undefined ? redact(text, finders) : hide(scanHeader(name, text), finders),
  )
}
