import { newId } from '../../../../core/time/random.ts'
import { appKind } from '../../apps/present.ts'
import { declareCreate, recordOfPath } from '../../declare.ts'
import { assertPermitted, generateDomain } from '../domain.ts'
import { presentDeployment } from '../present.ts'
import { initialState, scheduleNextStep } from '../progress.ts'
import { createdDeploymentSchema, deployments, newDeploymentSchema } from '../schemas.ts'

/** Deploys an app on a domain: live immediately below `assignedDomainRoot`, on every plan; a custom domain waits for DNS. */
export const createDeployment = declareCreate({
  id: 'deployments.create',
  path: '/apps/{app_id}/deployments',
  title: 'Create a deployment',
  scope: 'deployments:write',
  body: newDeploymentSchema,
  example: { domain: 'ferns.example.com', branding: { name: 'Fern Friend', primary_color: '#2e7d32' } },
  result: createdDeploymentSchema,
  create(exchange, { params, body }) {
    const app = recordOfPath(exchange, appKind, params)
    assertPermitted(exchange, body)
    const stored = exchange.collection(deployments)
    const deployment = stored.insert({
      id: newId(stored, exchange.world.random('deployment'), 'dep'),
      account: app.account,
      app: app.id,
      branding: body.branding ?? {},
      created_at: exchange.now,
      updated_at: exchange.now,
      ...initialState(exchange, body.domain ?? generateDomain(exchange, app)),
    })
    scheduleNextStep(exchange, deployment)
    return presentDeployment(deployment)
  },
})
