import * as z from 'zod/mini'
import type { EntryOutline } from '../../core/journal/journal-entry.ts'
import { activeScenarios, clockState, fileProblems, schemaOf } from '../shapes.ts'
import { assumptionValues } from '../actions/worlds.ts'
import { entryFields } from '../actions/journal.ts'
import { shownDelivery } from '../actions/webhooks.ts'
import { described, optional } from '../../scenarios/language/fields.ts'

const inWorld = { world: z.string() }

export interface RequestEvent extends EntryOutline {
  readonly key?: string
}

const { request, response, omitted: _omitted, cut: _cut, ...outline } = entryFields

const requestEvent = schemaOf<RequestEvent>(
  z.object({
    ...outline,
    request: z.object({ method: request.shape.method, url: request.shape.url }),
    response: z.object({ status: response.shape.status }),
    key: optional(
      z.string(),
      'The key that was sent: itself if it comes from fixtures and consists of plain words, otherwise its fingerprint',
    ),
  }),
)

const { id, webhook, type, status, next_attempt_at } = shownDelivery.shape

export const controlEvents = {
  gap: described(
    z.object({
      reason: described(
        z.enum(['start', 'forgotten']),
        'start: no last event was named; forgotten: events after it are gone',
      ),
      server: described(z.string(), 'Identifies the server. After a restart, nothing from before is valid'),
    }),
    'Events are missing before this one: load the state again',
  ),
  request: described(requestEvent, 'A request was answered; or waits for its reply, with `pending`'),
  'journal-cleared': z.object(inWorld),
  world: z.object({ ...inWorld, change: z.enum(['created', 'reset', 'restored', 'deleted', 'dropped']) }),
  scenarios: z.object({ ...inWorld, ...activeScenarios.shape }),
  clock: z.object({ ...inWorld, ...clockState.shape }),
  assumptions: z.object({ ...inWorld, assumptions: assumptionValues }),
  records: described(
    z.object({
      ...inWorld,
      collection: z.string(),
      change: described(
        z.enum(['created', 'updated', 'deleted', 'replaced', 'changed']),
        'replaced: the whole collection; changed: several kinds of change',
      ),
      id: z.optional(z.union([z.string(), z.number(), z.bigint()])),
    }),
    'Records were written; at most one event for each collection and turn',
  ),
  keys: z.object({ ...inWorld, id: z.optional(z.string()) }),
  delivery: z.object({ ...inWorld, id, webhook, type, status, next_attempt_at, attempts: z.int() }),
  snapshots: z.object({ ...inWorld, snapshots: z.array(z.string()) }),
  reload: described(z.object({}), 'Fixtures or scenarios were loaded again: any world may have changed'),
  problems: fileProblems,
}

export type ControlEvents = { readonly [Type in keyof typeof controlEvents]: z.infer<(typeof controlEvents)[Type]> }

export type ControlEventType = keyof ControlEvents

/** The types that a reader can select; `gap` always comes. */
export const controlEventTypes = Object.keys(controlEvents).filter((type) => type !== 'gap') as ControlEventType[]
