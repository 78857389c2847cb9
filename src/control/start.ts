import { version } from '../../package.json'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { Start, StartKey } from './answers.ts'
import type { Call } from './call.ts'

export function showStart({ greenhouse, origin, bases }: Call): Start {
  const world = greenhouse.world('default')
  return {
    version,
    plants_url: bases.plants,
    apps_url: bases.apps,
    areas: greenhouse.catalogue.contract.areas.map(({ name }) => name),
    panel_url: `${origin}/__greenhouse/`,
    keys: Object.fromEntries(describeKeys(greenhouse)),
    scenarios: world.scenarios,
    ...(greenhouse.files.config !== undefined && { config: greenhouse.files.config }),
  }
}

/** Describes the keys that may be shown: those of plain words from the fixtures. */
export function describeKeys(greenhouse: Greenhouse): (readonly [secret: string, key: StartKey])[] {
  const world = greenhouse.world('default')
  const shown = world.records.keys.all().filter(({ secret }) => world.nameKey(secret) === secret)
  return shown.map(({ secret, account, expires_at, revoked, scopes }) => {
    const plan = world.records.accounts.get(account)?.plan
    const note = revoked ? 'revoked' : expires_at ? 'expires ' + expires_at : scopes ? scopes.join(' ') : undefined
    return [secret, { ...(plan !== undefined && { plan }), account, ...(note && { note }) }]
  })
}
