import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { recordOfPath } from '../../declare.ts'
import { assertPermitted } from '../domain.ts'
import { deploymentKind, presentDeployment } from '../present.ts'
import { advance, initialState } from '../progress.ts'
import { deployments, deploymentSchema, newDeploymentSchema } from '../schemas.ts'

/** Changes the fields that are sent, also within the branding. A new domain starts the deployment over. */
export const updateDeployment = declareOperation({
  id: 'deployments.update',
  method: 'PATCH',
  path: '/apps/{app_id}/deployments/{deployment_id}',
  title: 'Update a deployment',
  scope: 'deployments:write',
  body: newDeploymentSchema,
  example: { branding: { name: 'Fern Friend', primary_color: '#2e7d32' } },
  result: deploymentSchema,
  handle(exchange, { params, body }) {
    const deployment = recordOfPath(exchange, deploymentKind, params)
    assertPermitted(exchange, body, deployment)
    const branding = { ...deployment.branding, ...body.branding }
    const { domain = deployment.domain } = body
    const updated =
      domain === deployment.domain
        ? exchange.collection(deployments).update(deployment.id, { branding, updated_at: exchange.now })
        : advance(exchange, deployment, { branding, ...initialState(exchange, domain) })
    return { status: 200, body: presentDeployment(updated!) }
  },
})
