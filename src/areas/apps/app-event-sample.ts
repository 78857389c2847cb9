import type { OrderedEntries } from '../../core/store/ordered-entries.ts'
import type { CoreWorld } from '../../core/world/world.ts'
import type { SampleData, EventSample } from '../event-sample.ts'
import { apps, type App } from './apps/schemas.ts'

/** Sample data of an event about an app. */
interface AppEvent {
  /** Returns the data of the newest fitting record of the app; `undefined` without one. */
  ofNewest(world: CoreWorld, app: Readonly<App>): SampleData | undefined
  /** Returns the data of a generated record, as complete as a stored one. */
  fromGenerated(world: CoreWorld, app: Readonly<App>): SampleData
}

/** Creates the sample for an event type about an app. Without an app, it uses the newest app that has a fitting record. */
export function sampleOfApp({ ofNewest, fromGenerated }: AppEvent): EventSample {
  return {
    sample(world, account, app) {
      const known = app === undefined ? undefined : world.collection(apps).get(app)
      const own = known ? [known] : newestApps(world, account, Infinity)
      for (const one of own) {
        const data = ofNewest(world, one)
        if (data) return { app: one.id, data }
      }
      return { app: own[0]?.id ?? null, data: fromGenerated(world, own[0] ?? generateApp(world, account)) }
    },
    appOf: (world, account) => newestApps(world, account, 1)[0]?.id ?? null,
  }
}

function newestApps(world: CoreWorld, account: string, count: number): Readonly<App>[] {
  return newestRecords(world.collection(apps).ownedBy(account), count)
}

/** Returns the newest records of a list, newest first. */
export function newestRecords<T>(list: OrderedEntries<T>, count = Infinity): Readonly<T>[] {
  return list.newest(count).map(({ record }) => record)
}

/** Returns the id of a generated record: `app_aaaaaaaaaaaaaaaa`. */
export function placeholderId(prefix: string): string {
  return `${prefix}_${'a'.repeat(16)}`
}

/** Generates an app for an account without one. */
function generateApp(world: CoreWorld, account: string): App {
  const now = world.clock.now()
  return { id: placeholderId('app'), account, name: 'sample', created_at: now, updated_at: now }
}
