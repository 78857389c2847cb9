import type { JournalRecord } from '../../core/journal/journal-record.ts'
import { toFingerprint } from '../../core/store/fingerprint.ts'
import { toIso } from '../../core/time/time-text.ts'
import type { Change, RecordsChange } from '../../core/world/changes.ts'
import type { Greenhouse } from '../../greenhouse/greenhouse.ts'
import type { World } from '../../greenhouse/world.ts'
import { showProblems } from '../problems.ts'
import { showClock, showScenarios } from '../views.ts'
import { RecordsDraft, type EventDraft } from './record-drafts.ts'
import { toRequestEvent } from './request-event.ts'
import type { ControlEvents, ControlEventType } from './types.ts'

/** The events of one turn. Several changes of the same subject become one event, with its final state. */
export class EventDrafts {
  readonly #greenhouse: Greenhouse
  #drafts = new Map<unknown, EventDraft>()

  constructor(greenhouse: Greenhouse) {
    this.#greenhouse = greenhouse
  }

  get size(): number {
    return this.#drafts.size
  }

  take(): Iterable<EventDraft> {
    const taken = this.#drafts
    this.#drafts = new Map()
    return taken.values()
  }

  addRequest(record: JournalRecord): void {
    this.#add(record, 'request', record.world, () => toRequestEvent(record, this.#greenhouse.findWorld(record.world)))
  }

  add(change: Change): void {
    switch (change.type) {
      case 'records':
        return this.#addRecords(change)
      case 'world':
        return this.#add(change, 'world', change.world, () => ({ world: change.world, change: change.change }))
      case 'world-ends':
        return
      case 'journal-cleared':
        return this.#add(change, change.type, change.world, () => ({ world: change.world }))
      case 'scenarios':
        return this.#addState(change.type, change.world, showScenarios)
      case 'clock':
        return this.#addState(change.type, change.world, showClock)
      case 'assumptions':
        return this.#addState(change.type, change.world, ({ assumptions }) => ({ assumptions }))
      case 'snapshots':
        return this.#addState(change.type, change.world, ({ snapshots }) => ({ snapshots }))
      case 'reload':
        return this.#add(change.type, change.type, undefined, () => ({}))
      case 'problems':
        return this.#add(change.type, change.type, undefined, () => showProblems(this.#greenhouse))
    }
  }

  #addRecords({ world, collection, change, key }: RecordsChange): void {
    const id = collection === 'keys' && key !== undefined ? toFingerprint(String(key)) : key
    const about = `records ${world} ${collection}`
    const draft =
      (this.#drafts.get(about) as RecordsDraft | undefined) ?? new RecordsDraft(world, collection, change, id)
    draft.merge(change, id)
    this.#drafts.set(about, draft)
    if (collection === 'keys') this.#add(`keys ${world}`, 'keys', world, () => ({ world, ...draft.written }))
    if (collection === 'deliveries' && key !== undefined && change !== 'deleted')
      this.#addState('delivery', world, (found) => showDelivery(found, String(key)), String(key))
  }

  #addState(type: ControlEventType, world: string, show: (world: World) => object | undefined, part = ''): void {
    this.#add(`${type} ${world} ${part}`, type, world, () => {
      const found = this.#greenhouse.findWorld(world)
      const shown = found && show(found)
      return shown && { world, ...shown }
    })
  }

  #add(about: unknown, type: ControlEventType, world: string | undefined, make: () => object | undefined): void {
    if (!this.#drafts.has(about)) this.#drafts.set(about, { type, ...(world !== undefined && { world }), make })
  }
}

function showDelivery({ records }: World, id: string): Omit<ControlEvents['delivery'], 'world'> | undefined {
  const delivery = records.deliveries.get(id)
  if (!delivery) return undefined
  const { webhook, type, status, attempts, next_attempt_at } = delivery
  return {
    id,
    webhook,
    type,
    status,
    attempts: attempts.length,
    next_attempt_at: next_attempt_at === null ? null : toIso(next_attempt_at),
  }
}
