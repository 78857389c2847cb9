import { declareGetRecord } from '../../declare.ts'
import { deploymentKind } from '../present.ts'

export const getDeployment = declareGetRecord(deploymentKind, {
  id: 'deployments.get',
  path: '/apps/{app_id}/deployments/{deployment_id}',
  title: 'Get a deployment',
  scope: 'deployments:read',
})
