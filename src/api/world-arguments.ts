import { isObject } from '../core/contract/options.ts'
import { custom, limitLength, type SchemasOf, shortText, text } from '../core/store/options.ts'
import type { TriggerOptions } from './names.ts'

/** The arguments of a world's methods, in this process and on a server. */
export const snapshotName = text('the name of a snapshot, such as "before"', () => true)
export const caseTitle = text('a title, such as "a failed renewal"', () => true).check(
  limitLength(200),
)
export const eventTypeText = shortText('the type of an event, such as "plant.created"', () => true)

export const assumptionChoices = custom(
  'the id of an assumption, or an object of values by id',
  (choices) => typeof choices === 'string' || isObject(choices),
)

export const triggerSchemas: SchemasOf<TriggerOptions> = {
  account: shortText('the id of an account'),
  app: shortText('the id of an app'),
}
