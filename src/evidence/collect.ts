import type { Delivery } from '../areas/apps/webhooks/schemas.ts'
import { isObject } from '../core/contract/options.ts'
import { checkArgument, custom, list } from '../core/store/options.ts'
import { type JournalRecord, namesOfActingScenarios } from '../core/journal/journal-record.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { World } from '../api/world.ts'
import {
  type CellCounts,
  cellsOf,
  type Coverage,
  listCells,
  mergeCounts,
  toCoverage,
} from './coverage.ts'
import { createCardWriter, mergeCards, type ReportCard } from './report-card.ts'
import { toSeenRequest } from './rule.ts'
import { type BrokenContract, createViolationList } from './violations.ts'

/**
 * What requests show of the client that sent them, and of the failures that it met. It is JSON, so
 * that the evidence of several processes can be merged.
 */
export interface Evidence {
  readonly card: ReportCard
  readonly cells: CellCounts
  readonly violations: readonly BrokenContract[]
}

/** Collects evidence while requests arrive. */
export interface EvidenceCollector {
  /** Stops collecting, and returns the evidence. Replies that are not finished count as open. */
  end(): Evidence
}

const maxPending = 1_000

/**
 * The most cells to count. Inline scenarios have names of their own, so there could be any number.
 */
const maxCells = 10_000

/**
 * Follows all requests of a Greenhouse from now on, in at most 200 worlds at a time. Each takes
 * some kilobytes of memory, 300 kB at most.
 * @example
 * const collector = collectEvidence(greenhouse)
 * await useTheClient()
 * const { card } = collector.end()
 */
export function collectEvidence(greenhouse: Greenhouse): EvidenceCollector {
  const writer = createWriter()
  const pending = new Set<JournalRecord>()
  const endRequests = greenhouse.requests.observe((record) => {
    if (record.leftAt > 0) {
      pending.delete(record)
      writer.see(record)
    } else if (pending.size < maxPending) pending.add(record)
  })
  const endChanges = greenhouse.changes.observe((change) => {
    if (
      change.type !== 'records' ||
      change.collection !== 'deliveries' ||
      change.change !== 'created'
    )
      return
    const delivery = greenhouse
      .findWorld(change.world)
      ?.records.deliveries.get(change.key as string)
    if (delivery) writer.seeDelivery(delivery)
  })
  let found: Evidence | undefined
  return {
    end() {
      if (found) return found
      endRequests()
      endChanges()
      for (const record of pending) writer.see(record)
      return (found = writer.close())
    },
  }
}

/** Returns whether a value is what `collector.end()` returns, as far as merging reads it. */
export function isEvidence(value: unknown): value is Evidence {
  return (
    isObject(value) &&
    isObject(value['card']) &&
    Array.isArray(value['card']['rules']) &&
    isObject(value['cells'])
  )
}

const worldsSchema = listOfAccepted(
  'a list of worlds, such as [greenhouse.world()]',
  (one) => isObject(one) && 'journal' in one,
)
const evidenceSchema = listOfAccepted('a list of what collector.end() returns', isEvidence)

function listOfAccepted(words: string, accepts: (value: unknown) => boolean) {
  return list(words, custom(words, accepts))
}

/** Returns the evidence in the journals of worlds. @throws TypeError */
export function readEvidence(worlds: readonly World[]): Evidence {
  checkArgument('readEvidence', 'the first argument', worlds, worldsSchema)
  const writer = createWriter()
  for (const world of worlds) {
    // The order is that of the replies' ends; unfinished ones come last.
    const endOf = ({ leftAt }: JournalRecord) => leftAt || Infinity
    for (const record of [...world.core.journal.records()].sort(
      (a, b) => endOf(a) - endOf(b) || a.id - b.id,
    )) {
      writer.see(record)
    }
    for (const delivery of world.records.deliveries.all()) writer.seeDelivery(delivery)
  }
  return writer.close()
}

/** Merges the evidence of several processes. @throws TypeError */
export function mergeEvidence(all: readonly Evidence[]): Evidence {
  checkArgument('mergeEvidence', 'the first argument', all, evidenceSchema)
  const violations = createViolationList()
  // The file of an earlier version has none.
  for (const { violations: found = [] } of all as readonly Partial<Evidence>[])
    found.forEach(violations.add)
  return {
    card: mergeCards(all.map(({ card }) => card)),
    cells: mergeCounts(all.map(({ cells }) => cells)),
    violations: violations.all(),
  }
}

/**
 * Compares what was seen with what a Greenhouse makes possible. @param ignore globs of cells or
 * operations that do not count.
 * @param only globs of those that count. @throws RangeError for a glob without a match.
 */
export function coverageOf(
  { cells }: Evidence,
  greenhouse: Greenhouse,
  ignore?: readonly string[],
  only?: readonly string[],
): Coverage {
  const scenarios = greenhouse.scenarios().map(({ name }) => name)
  const { assumptions } = greenhouse.world().core.effectiveSettings
  return toCoverage(listCells(greenhouse.catalogue, scenarios, assumptions), cells, ignore, only)
}

function createWriter() {
  const card = createCardWriter()
  const violations = createViolationList()
  const cells = new Map<string, number>()
  const count = (cell: string) => {
    const before = cells.get(cell) ?? 0
    if (before > 0 || cells.size < maxCells) cells.set(cell, before + 1)
  }
  return {
    see(record: JournalRecord): void {
      const request = toSeenRequest(record)
      card.see(record.journal, request)
      violations.see(request)
      cellsOf(request, namesOfActingScenarios(record)).forEach(count)
    },
    seeDelivery({ type, faults = [] }: Readonly<Delivery>): void {
      for (const { kind } of faults) [`${type}/${kind}`, `scenario/webhook-${kind}`].forEach(count)
    },
    close: (): Evidence => ({
      card: card.close(),
      cells: Object.fromEntries(cells),
      violations: violations.all(),
    }),
  }
}
