import { declareListRecords, fieldFilter } from '../../declare.ts'
import { deploymentKind } from '../present.ts'
import { deploymentStates } from '../schemas.ts'

export const listDeployments = declareListRecords(deploymentKind, {
  id: 'deployments.list',
  path: '/apps/{app_id}/deployments',
  title: "List an app's deployments",
  scope: 'deployments:read',
  filters: { state: { description: 'Deployments in this state.', values: deploymentStates } },
  matches: fieldFilter('state'),
})
