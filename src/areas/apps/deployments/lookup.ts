import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { ownApp } from '../apps/lookup.ts'
import { ownRecord } from '../own-record.ts'
import { deployments, type Deployment } from './schemas.ts'

export function ownDeployment(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<Deployment> {
  const app = ownApp(exchange, params['app_id']!)
  return ownRecord(exchange, deployments, params['deployment_id']!, 'deployment', { noun: 'app', id: app.id })
}
