import { deleted, deletedStatus } from '../../assumptions.ts'
import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { findDeployment } from '../lookup.ts'
import { deployments } from '../schemas.ts'

export const deleteDeployment = declareOperation({
  id: 'deployments.delete',
  method: 'DELETE',
  path: '/apps/{app_id}/deployments/{deployment_id}',
  title: 'Delete a deployment',
  scope: 'deployments:write',
  statuses: deleted,
  handle(exchange, { params }) {
    exchange.collection(deployments).delete(findDeployment(exchange, params).id)
    return { status: deletedStatus(exchange) }
  },
})
