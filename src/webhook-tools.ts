export { webhookTools } from './greenhouse/assembly/webhook-tools.ts'
export type { WebhookTools } from './greenhouse/assembly/webhook-tools.ts'
