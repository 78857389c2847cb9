import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery } from '../../../../core/pipeline/query.ts'
import { findApp } from '../../apps/lookup.ts'
import { fieldFilter, listOf, listReply } from '../../list-reply.ts'
import { presentDeployment } from '../present.ts'
import { deployments, deploymentSchema, deploymentStates } from '../schemas.ts'

export const listDeployments = declareOperation({
  id: 'deployments.list',
  method: 'GET',
  path: '/apps/{app_id}/deployments',
  title: "List an app's deployments",
  scope: 'deployments:read',
  query: listQuery({ state: { description: 'Deployments in this state.', values: deploymentStates } }),
  ...listOf(deploymentSchema),
  handle(exchange, input) {
    const app = findApp(exchange, input.params['app_id']!)
    return listReply(exchange, input, {
      records: exchange.collection(deployments).childrenOf(app.id),
      matches: fieldFilter(input.query, 'state', 'state'),
      present: presentDeployment,
    })
  },
})
