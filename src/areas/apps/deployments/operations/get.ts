import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { findDeployment } from '../lookup.ts'
import { presentDeployment } from '../present.ts'
import { deploymentSchema } from '../schemas.ts'

export const getDeployment = declareOperation({
  id: 'deployments.get',
  method: 'GET',
  path: '/apps/{app_id}/deployments/{deployment_id}',
  title: 'Get a deployment',
  scope: 'deployments:read',
  result: deploymentSchema,
  handle: (exchange, { params }) => ({ status: 200, body: presentDeployment(findDeployment(exchange, params)) }),
})
