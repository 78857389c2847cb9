import type { Assume } from '../../core/definitions/assumptions.ts'
import type { Contract } from '../../core/pipeline/contract.ts'
import type { Components, SchemaObject } from './components.ts'
import { webhookAssumptions } from '../../areas/apps/webhooks/assumptions.ts'

export function toWebhooks(components: Components, assume: Assume, { areas }: Contract): Record<string, unknown> {
  const isSigned = assume(webhookAssumptions, 'webhooks.signature') === 'standard-webhooks'
  const parameters = [
    toHeader(
      'webhook-id',
      'Identifies the event: the same at every attempt. Ignore an event that you have already received.',
      { type: 'string' },
    ),
    toHeader('webhook-timestamp', 'When it was sent, in seconds since 1970.', { type: 'integer' }),
    ...(isSigned
      ? [toHeader('webhook-signature', 'Signatures of Standard Webhooks: `v1,` and base64.', { type: 'string' })]
      : []),
  ]
  return Object.fromEntries(
    areas
      .flatMap(({ eventSchemas }) => Object.entries(eventSchemas))
      .map(([type, data]) => [
        type,
        {
          post: {
            operationId: `webhook.${type}`,
            summary: `The event ${type}.`,
            tags: ['webhooks'],
            security: [],
            parameters,
            requestBody: {
              required: true,
              content: { 'application/json': { schema: toPayload(type, components.use(data, 'output')) } },
            },
            responses: {
              '2XX': {
                description:
                  'Received. After any other status, or no reply within the time limit, the event is sent again.',
              },
            },
            'x-greenhouse-source': 'ours',
          },
        },
      ]),
  )
}

function toPayload(type: string, data: SchemaObject): SchemaObject {
  return {
    type: 'object',
    properties: { type: { const: type }, timestamp: { type: 'string', format: 'date-time' }, data },
    required: ['type', 'timestamp', 'data'],
    additionalProperties: false,
  }
}

function toHeader(name: string, description: string, schema: SchemaObject) {
  return { name, in: 'header', required: true, description, schema }
}
