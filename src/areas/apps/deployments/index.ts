import { type AuthenticatedExchange, declareOperation } from '../../../core/pipeline/operation.ts'
import { choiceOf } from '../../../core/pipeline/list-query.ts'
import { newId } from '../../../core/time/random.ts'
import { appKind } from '../apps/present.ts'
import {
  declareCreate,
  declareDeleteRecord,
  declareGetRecord,
  declareListRecords,
  defineResource,
  fieldFilter,
  recordOfPath,
} from '../declare.ts'
import { assertPermitted, generateDomain, simulateDnsLookup } from './domain.ts'
import { deploymentKind, presentDeployment } from './present.ts'
import {
  advance,
  initialState,
  pendingDeployments,
  scheduleNextStep,
  stepAfterDnsFound,
  failedTransition,
  toPending,
  type Transition,
} from './progress.ts'
import {
  createdDeploymentSchema,
  type Deployment,
  deployments,
  deploymentSchema,
  deploymentStates,
  newDeploymentSchema,
} from './schemas.ts'

export const deploymentResource = defineResource({
  operations: [
    declareListRecords(deploymentKind, {
      id: 'deployments.list',
      title: "List an app's deployments",
      scope: 'deployments:read',
      filters: {
        state: {
          description: 'Deployments in this state.',
          schema: choiceOf(deploymentStates),
        },
      },
      matches: fieldFilter('state'),
    }),
    /**
     * Deploys an app on a domain: live immediately below `assignedDomainRoot`, on every plan; a
     * custom domain waits for DNS.
     */
    declareCreate({
      id: 'deployments.create',
      path: '/apps/{app_id}/deployments',
      title: 'Create a deployment',
      scope: 'deployments:write',
      body: newDeploymentSchema,
      example: {
        domain: 'ferns.example.com',
        branding: {
          name: 'Fern Friend',
          primary_color: '#2e7d32',
        },
      },
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
    }),
    declareGetRecord(deploymentKind, {
      id: 'deployments.get',
      title: 'Get a deployment',
      scope: 'deployments:read',
    }),
    /**
     * Changes the fields that are sent, also within the branding. A new domain starts the
     * deployment over.
     */
    declareOperation({
      id: 'deployments.update',
      method: 'PATCH',
      path: '/apps/{app_id}/deployments/{deployment_id}',
      title: 'Update a deployment',
      scope: 'deployments:write',
      body: newDeploymentSchema,
      example: {
        branding: {
          name: 'Fern Friend',
          primary_color: '#2e7d32',
        },
      },
      result: deploymentSchema,
      handle(exchange, { params, body }) {
        const deployment = recordOfPath(exchange, deploymentKind, params)
        assertPermitted(exchange, body, deployment)
        const branding = { ...deployment.branding, ...body.branding }
        const { domain = deployment.domain } = body
        const stored = exchange.collection(deployments)
        const updated =
          domain === deployment.domain
            ? stored.amend(deployment, {
                branding,
                updated_at: exchange.now,
              })
            : advance(exchange, deployment, { branding, ...initialState(exchange, domain) })
        return {
          status: 200,
          body: presentDeployment(updated),
        }
      },
    }),
    declareDeleteRecord(deploymentKind, {
      id: 'deployments.delete',
      title: 'Delete a deployment',
      scope: 'deployments:write',
    }),
    declareOperation({
      id: 'deployments.verify',
      method: 'POST',
      path: '/apps/{app_id}/deployments/{deployment_id}/verify',
      title: "Verify a deployment's domain",
      scope: 'deployments:write',
      result: deploymentSchema,
      handle(exchange, { params }) {
        const deployment = recordOfPath(exchange, deploymentKind, params)
        const step = nextStep(exchange, deployment)
        return {
          status: 200,
          body: presentDeployment(step ? advance(exchange, deployment, step) : deployment),
        }
      },
    }),
  ],
  eventSchemas: {
    'deployment.live': deploymentSchema,
    'deployment.failed': deploymentSchema,
  },
  collections: { deployments },
  pending: [pendingDeployments],
  schemas: {
    Deployment: deploymentSchema,
    NewDeployment: newDeploymentSchema,
  },
})

/**
 * Returns the change of state; `undefined` if there is none. A failed deployment without DNS
 * records waits another 72 hours.
 */
function nextStep(
  exchange: AuthenticatedExchange,
  deployment: Readonly<Deployment>,
): Transition | undefined {
  if (deployment.state !== 'pending_dns' && deployment.state !== 'failed') return undefined
  const finding = simulateDnsLookup(exchange, deployment)
  if (finding === 'mismatch') return failedTransition('dns_mismatch')
  if (finding === 'verified') return stepAfterDnsFound(exchange, deployment)
  if (deployment.state === 'failed') return toPending(exchange.now)
  return undefined
}
