import { worldName, worldNameRule } from '../core/http/urls.ts'
import * as z from 'zod/mini'
import { nameKey } from '../core/accounts/accounts.ts'
import { headerOf, toSecret } from '../core/http/request.ts'
import { sharedByBuilds } from '../core/contract/builds.ts'
import { anyText, described, optional } from '../core/contract/zod.ts'
import { withoutWorld } from '../core/text/world-key.ts'
import { describeProblem, quote } from '../core/text/messages.ts'
import { printFailure } from '../core/contract/errors.ts'
import { toJson } from '../core/http/json.ts'
import { toOutline, type EntryOutline } from '../core/journal/journal-entry.ts'
import type { JournalRecord } from '../core/journal/journal-record.ts'
import { toFingerprint } from '../core/secrets/known-secrets.ts'
import { setImmediate } from '../core/time/system-time.ts'
import { toIsoOrNull } from '../core/time/time-text.ts'
import type { Change, RecordsChange } from '../core/world/changes.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { World } from '../api/world.ts'
import type { Call } from './call.ts'
import type { EventFeed, FeedEvent } from './answer.ts'
import {
  identityOf,
  showClock,
  showProblems,
  showScenarios,
  activeScenarios,
  clockState,
  fileProblems,
  schemaOf,
} from './shapes.ts'
import { assumptionValues } from './actions/worlds.ts'
import { entryFields } from './actions/journal.ts'
import { shownDelivery } from './actions/webhooks.ts'
import { cached } from '../core/contract/cache.ts'

const inWorld = { world: anyText }

export interface RequestEvent extends EntryOutline {
  readonly key?: string
}

const { request, response, cut: _cut, ...outline } = entryFields

const requestEvent = schemaOf<RequestEvent>(
  z.object({
    ...outline,
    request: z.object({
      method: request.shape.method,
      url: request.shape.url,
    }),
    response: z.object({ status: response.shape.status }),
    key: optional(
      anyText,
      'The key that was sent: itself if it comes from fixtures and consists of plain words, otherwise its fingerprint',
    ),
  }),
)

const { id, webhook, type, status, next_attempt_at } = shownDelivery.shape

export const controlEvents = {
  start: described(
    z.object({
      server: described(
        anyText,
        'Identifies the server. After a restart, nothing from before is valid',
      ),
    }),
    'The stream begins: read the state now, since nothing from before comes',
  ),
  request: described(
    requestEvent,
    'A request was answered; or waits for its reply, with `pending`',
  ),
  'journal-cleared': z.object(inWorld),
  world: z.object({
    ...inWorld,
    change: z.enum(['created', 'reset', 'restored', 'deleted', 'dropped']),
  }),
  scenarios: z.object({ ...inWorld, ...activeScenarios.shape }),
  clock: z.object({ ...inWorld, ...clockState.shape }),
  assumptions: z.object({
    ...inWorld,
    assumptions: assumptionValues,
  }),
  records: described(
    z.object({
      ...inWorld,
      collection: anyText,
      change: described(
        z.enum(['created', 'updated', 'deleted', 'replaced', 'changed']),
        'replaced: the whole collection; changed: several kinds of change',
      ),
      id: z.optional(z.union([anyText, z.number(), z.bigint()])),
    }),
    'Records were written; at most one event for each collection and turn',
  ),
  delivery: z.object({
    ...inWorld,
    id,
    webhook,
    type,
    status,
    next_attempt_at,
    attempts: z.int(),
  }),
  snapshots: z.object({
    ...inWorld,
    snapshots: z.array(anyText),
  }),
  unrecorded: described(
    z.object({}),
    'A request reached no world: it is in the `unrecorded` of each journal',
  ),
  reload: described(
    z.object({}),
    'Fixtures or scenarios were loaded again: any world may have changed',
  ),
  problems: fileProblems,
}

export type ControlEvents = {
  readonly [Type in keyof typeof controlEvents]: z.infer<(typeof controlEvents)[Type]>
}

export type ControlEventType = keyof ControlEvents

/** The types that a reader can select; `start` always comes. */
const controlEventTypes = Object.keys(controlEvents).filter((type) => type !== 'start')

/** An event that is sent at the end of this turn. */
interface EventDraft {
  readonly type: ControlEventType
  readonly world?: string
  readonly facts?: RecordsFacts
  /** Returns its data. @param world the world at that time, if it still exists */
  make(world: World | undefined): object | undefined
}

type RecordsFacts = {
  -readonly [Field in keyof ControlEvents['records']]: ControlEvents['records'][Field] | undefined
}

const states = {
  scenarios: showScenarios,
  clock: showClock,
  assumptions: ({ assumptions }: World) => ({ assumptions }),
  snapshots: ({ snapshots }: World) => ({ snapshots }),
}

function toDeliveryEvent(
  { name, records }: World,
  id: string,
): ControlEvents['delivery'] | undefined {
  const delivery = records.deliveries.get(id)
  if (!delivery) return undefined
  const { webhook, type, status, attempts, next_attempt_at: next } = delivery
  const next_attempt_at = toIsoOrNull(next)
  return {
    world: name,
    id,
    webhook,
    type,
    status,
    attempts: attempts.length,
    next_attempt_at,
  }
}

function toRequestEvent(record: JournalRecord, world: World | undefined): RequestEvent {
  const outline = toOutline(record)
  const sent = toSecret(headerOf(record, 'authorization'))
  if (sent === undefined) return outline
  const secret = withoutWorld(sent)
  return {
    ...outline,
    key: world ? nameKey(world.core, secret) : toFingerprint(secret),
  }
}

interface TypedFeedEvent extends FeedEvent {
  readonly type: ControlEventType
  readonly world: string | undefined
}

const maxDrafts = 1_000

const streams = sharedByBuilds('event-streams', () => new WeakMap<Greenhouse, FeedSource>())

type FeedReader = (event: TypedFeedEvent) => void

/**
 * The events of a Greenhouse, for as long as it has readers. None is kept: a reader who comes back
 * reads the state again.
 */
class FeedSource {
  readonly #greenhouse: Greenhouse
  readonly #readers = new Set<FeedReader>()
  readonly #stopObserving: readonly (() => void)[]
  /** By what they are about: several about the same become one event, with the final state. */
  #drafts = new Map<unknown, EventDraft>()
  #isWaiting = false

  constructor(greenhouse: Greenhouse) {
    this.#greenhouse = greenhouse
    this.#stopObserving = [
      greenhouse.requests.observe((record) => {
        const make = (found?: World) => toRequestEvent(record, found)
        this.#add(record, {
          type: 'request',
          world: record.world,
          make,
        })
      }),
      greenhouse.changes.observe((change) => {
        // After a clear, the secrets of waiting events are no longer known, so they are sent now.
        if (change.type === 'journal-cleared') this.#notify()
        this.#addChange(change)
      }),
    ]
  }

  /** Returns a function that unsubscribes. */
  subscribe(reader: FeedReader): () => void {
    const data: ControlEvents['start'] = { server: identityOf(this.#greenhouse) }
    reader({
      type: 'start',
      world: undefined,
      data: toJson(data),
    })
    this.#readers.add(reader)
    return () => {
      if (!this.#readers.delete(reader) || this.#readers.size > 0) return
      streams.delete(this.#greenhouse)
      for (const stop of this.#stopObserving) stop()
    }
  }

  #addChange(change: Change) {
    const { type } = change
    switch (type) {
      case 'world-ends':
        return
      case 'records':
        return this.#addRecords(change)
      case 'world':
      case 'journal-cleared': {
        const { type: _, ...facts } = change
        return this.#add(change, {
          type,
          world: change.world,
          make: () => facts,
        })
      }
      case 'reload':
      case 'unrecorded':
        return this.#add(type, {
          type,
          make: () => ({}),
        })
      case 'problems':
        return this.#add(type, {
          type,
          make: () => showProblems(this.#greenhouse),
        })
      default: {
        const { world } = change
        const make = (found?: World) => found && { world, ...states[type](found) }
        this.#add(`${type} ${world}`, {
          type,
          world,
          make,
        })
      }
    }
  }

  #addRecords({ world, collection, change, key }: RecordsChange) {
    const id = collection === 'keys' && key !== undefined ? toFingerprint(String(key)) : key
    const about = `records ${world} ${collection}`
    // Later changes in the same turn change what the event will say.
    const facts = this.#drafts.get(about)?.facts ?? {
      world,
      collection,
      change,
      id,
    }
    if (facts.change !== change) facts.change = 'changed'
    if (facts.id !== id) facts.id = undefined
    this.#add(about, {
      type: 'records',
      world,
      facts,
      make: () => facts,
    })
    if (collection !== 'deliveries' || key === undefined || change === 'deleted') return
    const make = (found?: World) => found && toDeliveryEvent(found, String(key))
    this.#add(`delivery ${world} ${key}`, {
      type: 'delivery',
      world,
      make,
    })
  }

  #add(about: unknown, draft: EventDraft) {
    if (!this.#drafts.has(about)) this.#drafts.set(about, draft)
    if (this.#drafts.size >= maxDrafts) return this.#notify()
    if (this.#isWaiting) return
    this.#isWaiting = true
    setImmediate(() => {
      this.#isWaiting = false
      this.#notify()
    })
  }

  #notify() {
    const drafts = this.#drafts
    this.#drafts = new Map()
    for (const draft of drafts.values()) {
      const { type, world } = draft
      const data = dataOf(draft, this.#greenhouse)
      if (data === undefined) continue
      for (const reader of this.#readers)
        reader({
          type,
          world,
          data,
        })
    }
  }
}

function dataOf(draft: EventDraft, greenhouse: Greenhouse): string | undefined {
  try {
    const world = draft.world === undefined ? undefined : greenhouse.findWorld(draft.world)
    const value = draft.make(world)
    return value && toJson(value)
  } catch (error) {
    printFailure('Greenhouse failed to report a change:', error)
    return undefined
  }
}

export const eventsQuery = z.strictObject({
  // The world may be created later, so it need not exist.
  world: z.optional(z.string().check(z.regex(worldName, `expected ${worldNameRule}`))),
  types: z.optional(
    z.string().check(({ value, issues }) => {
      const unknown = value.split(',').find((type) => !controlEventTypes.includes(type))
      if (unknown === undefined) return
      const problem = `there is no type ${quote(unknown)}`
      const message = describeProblem(problem, unknown, controlEventTypes, true)
      issues.push({
        code: 'custom',
        input: value,
        message,
      })
    }),
  ),
})

export function showEvents(
  { greenhouse }: Call,
  { world, types }: z.infer<typeof eventsQuery>,
): EventFeed {
  const wanted = types?.split(',')
  const isWanted = (event: TypedFeedEvent) =>
    event.type === 'start' ||
    ((world === undefined || event.world === undefined || event.world === world) &&
      (wanted === undefined || wanted.includes(event.type)))
  return (listener) => {
    const stream = cached(streams, greenhouse, () => new FeedSource(greenhouse))
    const stop = stream.subscribe((event) => isWanted(event) && listener(event))
    const release = world === undefined ? undefined : greenhouse.service.worlds.hold(world)
    return () => {
      stop()
      release?.()
    }
  }
}
