import { declareDeleteRecord } from '../../declare.ts'
import { deploymentKind } from '../present.ts'

export const deleteDeployment = declareDeleteRecord(deploymentKind, {
  id: 'deployments.delete',
  path: '/apps/{app_id}/deployments/{deployment_id}',
  title: 'Delete a deployment',
  scope: 'deployments:write',
})
