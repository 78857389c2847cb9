import type { LiveWorld } from '../../../core/world/live-world.ts'
import type { EventSample, SampleData } from '../../event-types.ts'
import { presentApp } from './present.ts'
import { type App, apps } from './schemas.ts'

const sample = /* @__PURE__ */ sampleOfApp((_, app) => presentApp(app))

export const appEvents = {
  'app.created': sample,
  'app.updated': sample,
  'app.deleted': sample,
}

/**
 * Creates the sample for an event type about an app. Without an app, it uses the newest app that
 * has a fitting record.
 * @param makeUp returns the data of a made-up record. @param find returns those from the newest
 * record that fits.
 */
export function sampleOfApp(
  makeUp: (world: LiveWorld, app: Readonly<App>) => SampleData,
  find: (world: LiveWorld, app: Readonly<App>) => SampleData | undefined = makeUp,
): EventSample {
  return {
    sample(world, account, app) {
      const known = app && world.collection(apps).get(app)
      const own = known ? [known] : newestApps(world, account, Infinity)
      for (const one of own) {
        const data = find(world, one)
        if (data)
          return {
            app: one.id,
            data,
          }
      }
      const [newest] = own
      const data = makeUp(world, newest ?? generateApp(world, account))
      return {
        app: newest?.id ?? null,
        data,
      }
    },
    appOf: (world, account) => newestApps(world, account, 1)[0]?.id,
  }
}

function newestApps(world: LiveWorld, account: string, count: number): Readonly<App>[] {
  return world.collection(apps).ownedBy(account).newest(count)
}

export function placeholderId(prefix: string): string {
  return `${prefix}_${'a'.repeat(16)}`
}

function generateApp(world: LiveWorld, account: string): App {
  const now = world.clock.now()
  return {
    id: placeholderId('app'),
    account,
    name: 'sample',
    created_at: now,
    updated_at: now,
  }
}
