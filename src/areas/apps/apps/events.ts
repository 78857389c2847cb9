import type { World } from '../../../core/world/world.ts'
import { madeUpId, type AppEventSample } from '../event-sample.ts'
import { presentApp } from './present.ts'
import type { App } from './schemas.ts'

/** What `app.created`, `app.updated` and `app.deleted` tell: the app. */
export const toAppEvent = presentApp

/** An app for an account that has none. */
export function makeUpApp(world: World, account: string): App {
  const now = world.clock.now()
  return { id: madeUpId('app'), account, name: 'sample', created_at: now, updated_at: now }
}

const sample: AppEventSample = { ofNewest: (_, app) => toAppEvent(app), ofMadeUp: (_, app) => toAppEvent(app) }

export const appSamples = { 'app.created': sample, 'app.updated': sample, 'app.deleted': sample }
