import { sharedByBuilds } from '../core/contract/across-builds.ts'
import { systemNow } from '../core/time/clock.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { Journal } from '../api/journal.ts'

const given = sharedByBuilds('identities', () => ({ texts: new WeakMap<object, string>(), count: 0 }))

/** Returns an id of a running server, different from all others, even from earlier ones at the same port. */
export function identityOfServer(greenhouse: Greenhouse): string {
  return identify(greenhouse, () => `${systemNow().toString(36)}${(given.count++).toString(36)}`)
}

export function identityOfJournal(greenhouse: Greenhouse, journal: Journal): string {
  return identify(journal, () => `${identityOfServer(greenhouse)}.${(given.count++).toString(36)}`)
}

function identify(one: object, make: () => string): string {
  let text = given.texts.get(one)
  if (text === undefined) given.texts.set(one, (text = make()))
  return text
}
