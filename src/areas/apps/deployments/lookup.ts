import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { findAccountRecord, findApp } from '../apps/lookup.ts'
import { deployments, type Deployment } from './schemas.ts'

export function findDeployment(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<Deployment> {
  const app = findApp(exchange, params)
  return findAccountRecord(exchange, deployments, params['deployment_id']!, 'deployment', { noun: 'app', id: app.id })
}
