import { createDeployment } from './operations/create.ts'
import { deleteDeployment } from './operations/delete.ts'
import { getDeployment } from './operations/get.ts'
import { listDeployments } from './operations/list.ts'
import { updateDeployment } from './operations/update.ts'
import { verifyDeployment } from './operations/verify.ts'

/** What can be done with deployments. */
export const deploymentOperations = [
  listDeployments,
  createDeployment,
  getDeployment,
  updateDeployment,
  deleteDeployment,
  verifyDeployment,
]
