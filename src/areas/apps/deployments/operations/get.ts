import { declareGet } from '../../declare.ts'
import { findDeployment } from '../lookup.ts'
import { presentDeployment } from '../present.ts'
import { deploymentSchema } from '../schemas.ts'

export const getDeployment = declareGet({
  id: 'deployments.get',
  path: '/apps/{app_id}/deployments/{deployment_id}',
  title: 'Get a deployment',
  scope: 'deployments:read',
  result: deploymentSchema,
  read: (exchange, params) => presentDeployment(findDeployment(exchange, params)),
})
