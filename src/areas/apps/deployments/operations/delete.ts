import { declareDelete } from '../../declare.ts'
import { findDeployment } from '../lookup.ts'
import { deployments } from '../schemas.ts'

export const deleteDeployment = declareDelete({
  id: 'deployments.delete',
  path: '/apps/{app_id}/deployments/{deployment_id}',
  title: 'Delete a deployment',
  scope: 'deployments:write',
  remove(exchange, params) {
    exchange.collection(deployments).delete(findDeployment(exchange, params).id)
  },
})
