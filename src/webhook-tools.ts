export { webhookTools } from './greenhouse/webhook-tools.ts'
