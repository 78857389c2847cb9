import { findApp } from '../../apps/lookup.ts'
import { declareList, fieldFilter } from '../../declare.ts'
import { presentDeployment } from '../present.ts'
import { deployments, deploymentSchema, deploymentStates } from '../schemas.ts'

export const listDeployments = declareList({
  id: 'deployments.list',
  path: '/apps/{app_id}/deployments',
  title: "List an app's deployments",
  scope: 'deployments:read',
  item: deploymentSchema,
  filters: { state: { description: 'Deployments in this state.', values: deploymentStates } },
  records: (exchange, params) => exchange.collection(deployments).childrenOf(findApp(exchange, params).id),
  matches: fieldFilter('state'),
  present: presentDeployment,
})
