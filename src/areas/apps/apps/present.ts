import { toIso } from '../../../core/time/time-text.ts'
import type { Kind } from '../declare.ts'
import { type App, apps, appSchema } from './schemas.ts'

export function presentApp(app: Readonly<App>) {
  return {
    id: app.id,
    name: app.name,
    display_name: app.display_name ?? null,
    description: app.description ?? null,
    model: app.model ?? null,
    system_prompt: app.system_prompt ?? null,
    welcome_message: app.welcome_message ?? null,
    login_required: app.login_required ?? false,
    created_at: toIso(app.created_at),
    updated_at: toIso(app.updated_at),
  }
}

export const appKind: Kind<App> = {
  noun: 'app',
  collection: apps,
  schema: appSchema,
  present: presentApp,
}
