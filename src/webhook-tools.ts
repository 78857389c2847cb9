export { webhookTools } from './api/assembly/webhook-tools.ts'
export type { WebhookTools } from './api/assembly/webhook-tools.ts'
