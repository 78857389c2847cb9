import { defineResource } from '../declare.ts'
import { pendingDeployments } from './progress.ts'
import { deployments, deploymentSchema, newDeploymentSchema } from './schemas.ts'
import { createDeployment } from './operations/create.ts'
import { deleteDeployment } from './operations/delete.ts'
import { getDeployment } from './operations/get.ts'
import { listDeployments } from './operations/list.ts'
import { updateDeployment } from './operations/update.ts'
import { verifyDeployment } from './operations/verify.ts'

export const deploymentResource = defineResource({
  operations: [listDeployments, createDeployment, getDeployment, updateDeployment, deleteDeployment, verifyDeployment],
  eventSchemas: { 'deployment.live': deploymentSchema, 'deployment.failed': deploymentSchema },
  collections: { deployments },
  pending: [pendingDeployments],
  schemas: { Deployment: deploymentSchema, NewDeployment: newDeploymentSchema },
})
