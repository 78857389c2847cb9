import type { Catalogue } from './make-catalogue.ts'
import type { RecordTypes } from './records.ts'

/** The area of each collection: a Greenhouse may be made without it, and says so where it is named. */
const areaByCollection = {
  plants: 'plants',
  apps: 'apps',
  users: 'apps',
  conversations: 'apps',
  messages: 'apps',
  webhooks: 'apps',
  deliveries: 'apps',
  deployments: 'apps',
  subscriptions: 'apps',
  credits: 'apps',
  purchases: 'apps',
} satisfies Record<Exclude<keyof RecordTypes, 'accounts' | 'keys'>, string>

type AreaCollection = keyof typeof areaByCollection

/** What was asked for belongs to an area that is not there. */
export class MissingAreaError extends RangeError {
  override name = 'MissingAreaError'

  /** @param what was to be done: `read world.records.apps`. */
  constructor(what: string, area: string) {
    super(`Failed to ${what}: this Greenhouse does not have the area "${area}". ${toAdvice(area)}`)
  }
}

/** The collections of the areas that are not there. */
export function missingCollections({ definitions }: Catalogue): AreaCollection[] {
  return (Object.keys(areaByCollection) as AreaCollection[]).filter((name) => !Object.hasOwn(definitions, name))
}

/** The area that a collection belongs to. */
export function areaOfCollection(name: AreaCollection): string {
  return areaByCollection[name]
}

function toAdvice(area: string): string {
  return `Give it to createGreenhouse: import { ${area} } from 'greenhouse-mock/${area}', then createGreenhouse({ areas: [${area}, …] }).`
}
