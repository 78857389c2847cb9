import { defineAssumptions } from '../../../core/contract/assumptions.ts'

export const webhookAssumptions = defineAssumptions({
  'webhooks.signature': {
    question:
      'How deliveries are signed: with the headers of Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature v1), or without webhook-signature',
    values: ['standard-webhooks', 'none'],
    source: 'convention',
  },
  'webhooks.timestamp': {
    question:
      "The time in webhook-timestamp: the world's time when the request is sent, the world's time when it was due, or the machine's time",
    values: ['sent', 'due', 'real'],
    source: 'ours',
  },
  'webhooks.retries': {
    question:
      'When a delivery that failed is tried again, each delay counted from the attempt before: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h; 0, 1 s, 2 s; or never',
    values: ['standard', 'fast', 'none'],
    source: 'convention',
  },
  'webhooks.timeout': {
    question: 'How long a receiver has to answer, in real time',
    values: ['15s', '1s', '5s', '30s'],
    source: 'ours',
  },
  'webhooks.rotation-overlap': {
    question: 'How long a former secret still signs after a rotation',
    values: ['24h', '1h', 'none'],
    source: 'ours',
  },
  'webhooks.gone': {
    question:
      'What happens when a receiver answers 410: the webhook is disabled, or the delivery is tried again as after any failure',
    values: ['disable', 'retry'],
    source: 'convention',
  },
})
