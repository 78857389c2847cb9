import { ApiError } from '../../../core/definitions/errors.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import type { App } from '../apps/schemas.ts'
import { assignedDomainRoot } from './hostname.ts'
import { deployments } from './schemas.ts'
import { quote } from '../../../core/definitions/quote.ts'

/** @throws ApiError 400 if any deployment of any account has the domain, in any state. */
export function assertFree(exchange: Exchange, domain: string): void {
  if (isTaken(exchange, domain))
    throw new ApiError('invalid_request', `domain: ${quote(domain)} is taken by another deployment.`)
}

export function generateDomain(exchange: Exchange, app: Readonly<App>): string {
  const name =
    app.name
      .toLowerCase()
      .slice(0, 40)
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'app'
  let domain = `${name}.${assignedDomainRoot}`
  while (isTaken(exchange, domain))
    domain = `${exchange.world.random('domain').id(name).replace('_', '-')}.${assignedDomainRoot}`
  return domain
}

function isTaken(exchange: Exchange, domain: string): boolean {
  return exchange.collection(deployments).first((deployment) => deployment.domain === domain) !== undefined
}
