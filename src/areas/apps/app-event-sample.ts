import type { World } from '../../core/world/world.ts'
import type { EventData, EventSample } from '../event-sample.ts'
import { apps, type App } from './apps/schemas.ts'
import { madeUpId } from './made-up-id.ts'

/** What an event that happens to an app would tell. */
interface AppEvent {
  /** Tells of the newest record of the app that such an event could be about; `undefined` when there is none. */
  ofNewest(world: World, app: Readonly<App>): EventData | undefined
  /** Tells of a record that is made up, complete as a stored one is. */
  ofMadeUp(world: World, app: Readonly<App>): EventData
}

/** Makes the sample of an event that happens to an app. Without an app it is of the newest one that has such a record. */
export function sampleOfApp({ ofNewest, ofMadeUp }: AppEvent): EventSample {
  return {
    sample(world, account, app) {
      const known = app === undefined ? undefined : world.collection(apps).get(app)
      const own = known ? [known] : newestApps(world, account, Infinity)
      for (const one of own) {
        const data = ofNewest(world, one)
        if (data) return { app: one.id, data }
      }
      return { app: own[0]?.id ?? null, data: ofMadeUp(world, own[0] ?? makeUpApp(world, account)) }
    },
    appOf: (world, account) => newestApps(world, account, 1)[0]?.id ?? null,
  }
}

function newestApps(world: World, account: string, count: number): Readonly<App>[] {
  return world
    .collection(apps)
    .ownedBy(account)
    .newest(count)
    .map(({ record }) => record)
}

/** An app for an account that has none. */
function makeUpApp(world: World, account: string): App {
  const now = world.clock.now()
  return { id: madeUpId('app'), account, name: 'sample', created_at: now, updated_at: now }
}
