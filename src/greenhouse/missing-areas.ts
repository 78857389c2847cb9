import type { RecordTypes } from './records.ts'

/** The area of each collection. Messages name it when a Greenhouse lacks that area. */
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

interface AreasThere {
  readonly areas: readonly { readonly name: string }[]
}

/** Where each area stands. */
const bases = { apps: '/v1', plants: '' }

/** The areas that are not there. */
export function missingAreas({ areas }: AreasThere): (keyof typeof bases)[] {
  return (Object.keys(bases) as (keyof typeof bases)[]).filter((area) => !areas.some(({ name }) => name === area))
}

/** Makes what tells of a path where an area would stand that is not there; `undefined` where all are. */
export function createAbsence(catalogue: AreasThere): ((path: string) => string | undefined) | undefined {
  const missing = missingAreas(catalogue)
  if (missing.length === 0) return undefined
  return (path) => {
    const area = path === bases.apps || path.startsWith(bases.apps + '/') ? 'apps' : 'plants'
    return missing.includes(area) ? new MissingAreaError(`answer ${path}`, area).message : undefined
  }
}

/** What a message adds where a name is unknown that an area may have which is not there: ` This Greenhouse does not have the area "apps".` */
export function noteMissing(catalogue: AreasThere): string {
  return missingAreas(catalogue)
    .map((area) => ` This Greenhouse does not have the area "${area}".`)
    .join('')
}

/** The collections of the areas that are not there. */
export function missingCollections({ definitions }: { readonly definitions: object }): AreaCollection[] {
  return (Object.keys(areaByCollection) as AreaCollection[]).filter((name) => !Object.hasOwn(definitions, name))
}

/** The area that a collection belongs to. */
export function areaOfCollection(name: AreaCollection): string {
  return areaByCollection[name]
}

function toAdvice(area: string): string {
  return `Give it to createGreenhouse: import { ${area} } from 'greenhouse-mock/${area}', then createGreenhouse({ areas: [${area}, …] }).`
}
