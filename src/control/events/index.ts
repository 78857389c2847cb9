import { sharedByBuilds } from '../../core/definitions/across-builds.ts'
import { quote } from '../../core/definitions/quote.ts'
import { suggest } from '../../core/definitions/suggest.ts'
import { worldName } from '../../core/pipeline/world-address.ts'
import type { Greenhouse } from '../../greenhouse/greenhouse.ts'
import { check, invalid } from '../body.ts'
import type { Call } from '../call.ts'
import type { EventFeed } from '../feed.ts'
import { eventsQuerySchema } from '../schemas.ts'
import { EventLog } from './event-log.ts'
import { controlEventTypes } from './types.ts'

const logs = sharedByBuilds('event-logs', () => new WeakMap<Greenhouse, EventLog>())

export function showEvents(call: Call): EventFeed {
  const { world, types } = check(eventsQuerySchema, call.query)
  // The world may be created later, so it need not exist.
  if (world !== undefined && !worldName.test(world))
    throw invalid(
      `world: ${quote(world)} is not a valid world name: expected 1 to 64 of the characters A-Z a-z 0-9 . _ -`,
    )
  const wanted = types === undefined ? undefined : readTypes(types)
  const { greenhouse } = call
  const last = call.header('last-event-id')
  return {
    subscribe(listener) {
      let log = logs.get(greenhouse)
      if (!log) logs.set(greenhouse, (log = new EventLog(greenhouse)))
      return log.subscribe(
        {
          last,
          isWanted: (event) =>
            (world === undefined || event.world === undefined || event.world === world) &&
            (wanted === undefined || wanted.has(event.type!)),
        },
        listener,
      )
    },
  }
}

function readTypes(text: string): ReadonlySet<string> {
  const types = text.split(',')
  const unknown = types.find((type) => !(controlEventTypes as readonly string[]).includes(type))
  if (unknown !== undefined)
    throw invalid(
      `types: there is no type ${quote(unknown)}; expected one of ${controlEventTypes.join(', ')}.${suggest(unknown, controlEventTypes)}`,
    )
  return new Set(types)
}
