import { createDeployment } from './create.ts'
import { deleteDeployment } from './delete.ts'
import { getDeployment } from './get.ts'
import { listDeployments } from './list.ts'
import { updateDeployment } from './update.ts'
import { verifyDeployment } from './verify.ts'

/** What can be done with deployments. */
export const deploymentOperations = [
  listDeployments,
  createDeployment,
  getDeployment,
  updateDeployment,
  deleteDeployment,
  verifyDeployment,
]
