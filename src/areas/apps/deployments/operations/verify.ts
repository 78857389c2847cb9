import type { Exchange } from '../../../../core/pipeline/exchange.ts'
import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { recordOfPath } from '../../declare.ts'
import { simulateDnsLookup } from '../domain.ts'
import { deploymentKind, presentDeployment } from '../present.ts'
import { advance, stepAfterDnsFound, toFailed, toPending, type Transition } from '../progress.ts'
import { deploymentSchema, type Deployment } from '../schemas.ts'

export const verifyDeployment = declareOperation({
  id: 'deployments.verify',
  method: 'POST',
  path: '/apps/{app_id}/deployments/{deployment_id}/verify',
  title: "Verify a deployment's domain",
  scope: 'deployments:write',
  result: deploymentSchema,
  handle(exchange, { params }) {
    const deployment = recordOfPath(exchange, deploymentKind, params)
    const step = nextStep(exchange, deployment)
    return { status: 200, body: presentDeployment(step ? advance(exchange, deployment, step) : deployment) }
  },
})

/** Returns the change of state; `undefined` if there is none. A failed deployment without DNS records waits another 72 hours. */
function nextStep(exchange: Exchange, deployment: Readonly<Deployment>): Transition | undefined {
  if (deployment.state !== 'pending_dns' && deployment.state !== 'failed') return undefined
  const finding = simulateDnsLookup(exchange, deployment)
  if (finding === 'mismatch') return toFailed('dns_mismatch')
  if (finding === 'verified') return stepAfterDnsFound(exchange, deployment)
  return deployment.state === 'failed' ? toPending(exchange.now) : undefined
}
