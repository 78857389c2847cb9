import type { LiveWorld } from '../../../core/world/live-world.ts'
import type { App } from '../apps/schemas.ts'
import { placeholderId, sampleOfApp } from '../apps/events.ts'
import { presentDeployment } from './present.ts'
import { deployments, type Deployment } from './schemas.ts'
import { failedTransition, liveTransition } from './progress.ts'

function generateDeployment(world: LiveWorld, { id: app, account }: Readonly<App>): Deployment {
  const now = world.clock.now()
  return {
    id: placeholderId('dep'),
    account,
    app,
    domain: 'chat.example.com',
    branding: {},
    state: 'pending_dns',
    token: 'a'.repeat(16),
    asked_at: now,
    created_at: now,
    updated_at: now,
  }
}

function sampleOf(state: 'live' | 'failed') {
  const presentInState = (world: LiveWorld, deployment: Readonly<Deployment>) => {
    const now = world.clock.now()
    const step = state === 'live' ? liveTransition(now) : failedTransition('dns_timeout')
    return presentDeployment({
      ...deployment,
      ...step,
      updated_at: now,
    })
  }
  return sampleOfApp(
    (world, app) => presentInState(world, generateDeployment(world, app)),
    (world, app) => {
      const own = world.collection(deployments).childrenOf(app.id).newest()
      const matching = own.find((deployment) => deployment.state === state)
      if (matching) return presentDeployment(matching)
      const [other] = own
      return other && presentInState(world, other)
    },
  )
}

export const deploymentEvents = {
  'deployment.live': /* @__PURE__ */ sampleOf('live'),
  'deployment.failed': /* @__PURE__ */ sampleOf('failed'),
}
