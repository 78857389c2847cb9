import type { RecordTypes } from '../records.ts'

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

export class MissingAreaError extends RangeError {
  override name = 'MissingAreaError'

  constructor(what: string, area: string) {
    super(
      `Failed to ${what}: this Greenhouse does not have the area "${area}". The option "areas" takes '${area}', or what 'greenhouse-mock/${area}' exports.`,
    )
  }
}

interface WithAreas {
  readonly areas: readonly { readonly name: string }[]
}

const bases = { apps: '/v1', plants: '' }

export function missingAreas({ areas }: WithAreas): (keyof typeof bases)[] {
  return (Object.keys(bases) as (keyof typeof bases)[]).filter((area) => !areas.some(({ name }) => name === area))
}

export function createMissingAreaMessage(catalogue: WithAreas): ((path: string) => string | undefined) | undefined {
  const missing = missingAreas(catalogue)
  if (missing.length === 0) return undefined
  return (path) => {
    const area = path === bases.apps || path.startsWith(bases.apps + '/') ? 'apps' : 'plants'
    return missing.includes(area) ? new MissingAreaError(`answer ${path}`, area).message : undefined
  }
}

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
