import type { RecordTypes } from '../records.ts'

/** The area of each collection, for messages about a missing area. */
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
} satisfies Record<Exclude<keyof RecordTypes, 'plans' | 'accounts' | 'keys'>, string>

type AreaCollection = keyof typeof areaByCollection

/** Thrown when somebody uses an area that the Greenhouse does not have. */
export class MissingAreaError extends RangeError {
  override name = 'MissingAreaError'

  /** @param what the caller wanted to do: `read world.records.apps`. */
  constructor(what: string, area: string) {
    super(
      `Failed to ${what}: this Greenhouse does not have the area "${area}". The option "areas" takes '${area}', or what 'greenhouse-mock/${area}' exports.`,
    )
  }
}

interface WithAreas {
  readonly areas: readonly { readonly name: string }[]
}

/** The base path of each area. */
const bases = { apps: '/v1', plants: '' }

export function missingAreas({ areas }: WithAreas): (keyof typeof bases)[] {
  return (Object.keys(bases) as (keyof typeof bases)[]).filter((area) => !areas.some(({ name }) => name === area))
}

/** Returns a function that explains a path of a missing area; `undefined` if no area is missing. */
export function createMissingAreaMessage(catalogue: WithAreas): ((path: string) => string | undefined) | undefined {
  const missing = missingAreas(catalogue)
  if (missing.length === 0) return undefined
  return (path) => {
    const area = path === bases.apps || path.startsWith(bases.apps + '/') ? 'apps' : 'plants'
    return missing.includes(area) ? new MissingAreaError(`answer ${path}`, area).message : undefined
  }
}

/** Returns an addition to a message about an unknown name: ` This Greenhouse does not have the area "apps".` */
export function missingAreasHint(catalogue: WithAreas): string {
  return missingAreas(catalogue)
    .map((area) => ` This Greenhouse does not have the area "${area}".`)
    .join('')
}

export function missingCollections({ definitions }: { readonly definitions: object }): AreaCollection[] {
  return (Object.keys(areaByCollection) as AreaCollection[]).filter((name) => !Object.hasOwn(definitions, name))
}

export function areaOfCollection(name: AreaCollection): string {
  return areaByCollection[name]
}
