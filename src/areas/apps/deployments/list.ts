import { defineOperation } from '../../../core/operation.ts'
import { ownApp } from '../apps/own.ts'
import { listReply } from '../list.ts'
import { listSchema } from '../list-schema.ts'
import { presentDeployment } from './present.ts'
import { deployments, deploymentSchema } from './schemas.ts'

/** The deployments of an app, newest first. */
export const listDeployments = defineOperation({
  id: 'deployments.list',
  method: 'GET',
  path: '/apps/{app_id}/deployments',
  title: "List an app's deployments",
  source: 'ours',
  scope: 'deployments:write',
  result: listSchema(deploymentSchema),
  writes: false,
  handle(exchange, { params, query }) {
    const app = ownApp(exchange, params['app_id']!)
    return listReply(exchange, exchange.collection(deployments).partsOf(app.id), query, presentDeployment)
  },
})
