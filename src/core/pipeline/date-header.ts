import type { coreAssumptions } from './assumptions.ts'
import type { Exchange } from './exchange.ts'
import type { Service } from './service.ts'
import type { Reply } from '../http/reply.ts'
import { systemNow } from '../time/clock.ts'
import { toHttpDate } from '../time/time-text.ts'

/** Adds the header Date (assumption `http.date`), unless a scenario has set one. Adapters add none of their own. */
export function addDate(
  { effectiveSettings, world }: Pick<Exchange, 'effectiveSettings' | 'world'>,
  headers: Reply['headers'],
): void {
  // Does not call `exchange.assume`: this assumption shapes every reply, so every journal entry would list it.
  const choice = effectiveSettings.assumptions.get('http.date' satisfies keyof typeof coreAssumptions)
  if (choice === 'absent' || hasDate(headers)) return
  headers['Date'] = toHttpDate(choice === 'machine' ? systemNow() : world.clock.now())
}

/** Adds the header Date to a reply that comes from no world: with the time of the world `default` or, without it, the machine's. */
export function addDateOutside({ worlds }: Service, reply: Reply): Reply {
  const world = worlds.peek('default')
  if (world) addDate({ effectiveSettings: world.effectiveSettings, world }, reply.headers)
  else reply.headers['Date'] = toHttpDate(systemNow())
  return reply
}

function hasDate(headers: Reply['headers']): boolean {
  for (const name in headers) if (name.length === 4 && name.toLowerCase() === 'date') return true
  return false
}
