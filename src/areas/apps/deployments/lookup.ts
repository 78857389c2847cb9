import { explainAbsence } from '../../../core/pipeline/absence.ts'
import { ApiError } from '../../../core/definitions/errors.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { ownApp } from '../apps/lookup.ts'
import { deployments, type Deployment } from './schemas.ts'
import { quote } from '../../../core/definitions/quote.ts'

/** Returns the deployment in a path, of the caller's app. @throws ApiError 404 if one does not exist or is not the caller's. */
export function ownDeployment(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<Deployment> {
  const app = ownApp(exchange, params['app_id']!)
  const id = params['deployment_id']!
  const deployment = exchange.collection(deployments).get(id)
  if (deployment?.app === app.id) return deployment
  throw new ApiError('not_found', `The app has no deployment with the id ${quote(id)}.`).because(
    explainAbsence(exchange, deployments, id, app.id),
  )
}
