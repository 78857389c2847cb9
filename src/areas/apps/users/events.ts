import type { LiveWorld } from '../../../core/world/live-world.ts'
import type { App } from '../apps/schemas.ts'
import { placeholderId, sampleOfApp } from '../apps/events.ts'
import { presentUser } from './present.ts'
import { users, type User } from './schemas.ts'

export function toUserSignedUp({ id, name }: Readonly<App>, user: Readonly<User>) {
  return {
    app_id: id,
    app_name: name,
    user: presentUser(user),
  }
}

export function generateUser(world: LiveWorld, { id: app, account }: Readonly<App>): User {
  return {
    id: placeholderId('usr'),
    account,
    app,
    email: 'sam@example.com',
    name: 'Sam',
    created_at: world.clock.now(),
  }
}

export const userEvents = {
  'user.signed_up': /* @__PURE__ */ sampleOfApp(
    (world, app) => toUserSignedUp(app, generateUser(world, app)),
    (world, app) => {
      const [newest] = world.collection(users).childrenOf(app.id).newest(1)
      return newest && toUserSignedUp(app, newest)
    },
  ),
}
