export { webhookTools } from './greenhouse/webhook-tools.ts'
export type { WebhookTools } from './greenhouse/webhook-tools.ts'
