import { appEvents } from './apps/events.ts'
import { conversationEvents } from './conversations/events.ts'
import { deploymentEvents } from './deployments/events.ts'
import { paymentEvents } from './payments/events.ts'
import { userEvents } from './users/events.ts'
import { webhookEvents } from './webhooks/events.ts'

export const appsEvents = {
  ...appEvents,
  ...userEvents,
  ...conversationEvents,
  ...deploymentEvents,
  ...paymentEvents,
  ...webhookEvents,
}
