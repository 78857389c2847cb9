import { version } from '../../package.json'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'
import type { Start, StartKey } from './answers.ts'
import type { Call } from './call.ts'

export function showStart({ greenhouse, origin, bases }: Call): Start {
  const world = greenhouse.world('default')
  const keys = describeKeys(greenhouse).filter(([secret]) => world.nameKey(secret) === secret)
  return {
    version,
    plants_url: bases.plants,
    apps_url: bases.apps,
    areas: greenhouse.catalogue.contract.areas.map(({ name }) => name),
    panel_url: `${origin}/__greenhouse/`,
    keys: Object.fromEntries(keys),
    scenarios: world.scenarios,
    ...(greenhouse.files.config !== undefined && { config: greenhouse.files.config }),
  }
}

export function describeKeys(greenhouse: Greenhouse): (readonly [secret: string, key: StartKey])[] {
  const { records } = greenhouse.world('default')
  return records.keys.all().map(({ secret, account, expires_at, revoked, scopes }) => {
    const plan = records.accounts.get(account)?.plan
    const note = revoked ? 'revoked' : expires_at ? 'expires ' + expires_at : scopes ? scopes.join(' ') : undefined
    return [secret, { ...(plan !== undefined && { plan }), account, ...(note && { note }) }]
  })
}
